"""Document structure: breaks, sections, headers and footers, page layout."""
