"""Formatting: characters, paragraphs, styles."""
