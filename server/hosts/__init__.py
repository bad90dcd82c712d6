"""Where a document lives: a file, memory, or the live Word pane."""
