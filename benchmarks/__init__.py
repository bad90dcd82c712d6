"""Measurements: each prints its figures as ratios against something else in the same run."""
