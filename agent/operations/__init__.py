"""The catalogue of operations: one file an operation, in a folder for each group."""
