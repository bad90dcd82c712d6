"""Content creation: new text, lists, links."""
