"""Stet's tests; folders mirror the rooms of the code."""
