"""Content modification: text that is there is changed, moved, deleted, commented."""
