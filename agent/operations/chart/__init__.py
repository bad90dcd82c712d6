"""Charts: native, with their data."""
