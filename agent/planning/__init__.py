"""Planners: with a language model and without."""
