"""Tables: made, filled, reshaped, styled."""
