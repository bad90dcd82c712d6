"""Judges of a change: effects, the frame, validity, and the model where meaning needs one."""
