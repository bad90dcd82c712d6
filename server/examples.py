"""Example requests for the empty pane, made to fit the document that is open."""

from __future__ import annotations

import re
from itertools import islice

from docx.text.paragraph import Paragraph

from agent.document.mirror import Mirror
from agent.document.names import W_P, W_TBL
from agent.document.styles import style_name

MOST = 3
_LOOKED_AT = 400
"""Paragraphs from the start of the document; enough to know what kind it is."""
_PLACEHOLDER = re.compile(r"\[[A-Z][A-Z ]{2,30}\]")


def examples_for(mirror: Mirror) -> tuple[str, ...]:
    """Up to three requests that make sense for this document, the surest first."""
    body = mirror.body
    # neither `document.paragraphs`, which makes an object of every paragraph that there is, nor `paragraph.style`, which
    # goes through all the styles
    start = list(islice(body.iterchildren(W_P), _LOOKED_AT))
    paragraphs = [(Paragraph(p, mirror.document), style_name(mirror, p.style or "")) for p in start]
    titles = [p for p, style in paragraphs if style == "Title" and p.text.strip()]
    headings = [
        p.text.strip()
        for p, style in paragraphs
        if style.startswith("Heading") and 0 < len(p.text.strip()) < 50
    ]
    placeholder = next((found[0] for p, _ in paragraphs if (found := _PLACEHOLDER.search(p.text))), None)
    fitting: list[str] = []
    if placeholder is not None:
        fitting.append(f"Replace {placeholder} with Northwind Ltd everywhere")
    if titles:
        centred = titles[0].alignment is not None
        fitting.append("Make the title bold" if centred else "Make the title bold and centre it")
    if next(body.iterchildren(W_TBL), None) is not None:
        fitting.append("Make the header row of the first table bold")
    if headings:
        fitting.append(f'Add a 3x2 table after the heading "{headings[0]}" with the header Name, Amount')
    fitting += ["Add page numbers in the footer", "Set the margins to 2.5 cm", "Change the font to Calibri"]
    return tuple(fitting[:MOST])
