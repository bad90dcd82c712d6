"""Stet's agent: carries out a plain-word request on a mirror of a .docx, one verified operation at a time."""
