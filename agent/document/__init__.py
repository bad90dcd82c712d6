"""The open document: package, mirror, edits, state, changes, text."""
