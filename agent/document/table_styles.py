"""The table styles that Word has had since 2013: Plain Table, Grid Table and List Table, plain and in six accent colours.

Like most built-in styles they are latent: a file defines them only once a table uses them. They are built here from what Word
writes: a base, and formats for the parts that `w:tblLook` turns on (`w:tblStylePr`). Colours are those of the theme; the
hexadecimal values beside them are for programs that do not look there, and are those of the Office theme.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from docx.oxml import parse_xml

from agent.document.names import W

_ACCENTS = ("000000", "4472C4", "ED7D31", "A5A5A5", "FFC000", "5B9BD5", "70AD47")
_SIDES = ("top", "left", "bottom", "right", "insideH", "insideV")
_BOLD, _ITALIC = "<w:b/><w:bCs/>", "<w:i/><w:iCs/>"
_WHITE = '<w:color w:val="FFFFFF" w:themeColor="background1"/>'
_PAPER = '<w:shd w:val="clear" w:color="auto" w:fill="FFFFFF" w:themeFill="background1"/>'


@dataclass(frozen=True)
class _Ink:
    """Colours of one variant: the text colour of the theme (number 0) or an accent."""

    number: int

    @property
    def theme(self) -> str:
        return f"accent{self.number}" if self.number else "text1"

    def _mixed(self, tint: str) -> str:
        share = int(tint, 16) / 255
        pairs = (_ACCENTS[self.number][i : i + 2] for i in (0, 2, 4))
        return "".join(f"{int(int(p, 16) * share + 255 * (1 - share)):02X}" for p in pairs)

    def line(self, side: str, width: int, tint: str = "", kind: str = "single") -> str:
        """A border in eighths of a point."""
        value = self._mixed(tint) if tint else _ACCENTS[self.number]
        more = f' w:themeTint="{tint}"' if tint else ""
        colour = f'w:color="{value}" w:themeColor="{self.theme}"{more}'
        return f'<w:{side} w:val="{kind}" w:sz="{width}" w:space="0" {colour}/>'

    def fill(self, tint: str = "") -> str:
        value = self._mixed(tint) if tint else _ACCENTS[self.number]
        more = f' w:themeFillTint="{tint}"' if tint else ""
        return f'<w:shd w:val="clear" w:color="auto" w:fill="{value}" w:themeFill="{self.theme}"{more}/>'

    def text(self) -> str:
        """Character colour: the accent, a quarter darker."""
        pairs = (_ACCENTS[self.number][i : i + 2] for i in (0, 2, 4))
        value = "".join(f"{int(int(p, 16) * 0.75):02X}" for p in pairs)
        more = ' w:themeShade="BF"' if self.number else ""
        return f'<w:color w:val="{value}" w:themeColor="{self.theme}"{more}/>'


def _paper_line(side: str, kind: str = "single") -> str:
    return f'<w:{side} w:val="{kind}" w:sz="4" w:space="0" w:color="FFFFFF" w:themeColor="background1"/>'


def _nil(*sides: str) -> str:
    return "".join(f'<w:{s} w:val="nil"/>' for s in sides)


def _grey(side: str, kind: str = "single") -> str:
    return f'<w:{side} w:val="{kind}" w:sz="4" w:space="0" w:color="BFBFBF" w:themeColor="background1" w:themeShade="BF"/>'


@dataclass(frozen=True)
class _Look:
    """What a style says of the whole table or of a part of it; each a piece of XML."""

    characters: str = ""
    borders: str = ""
    shading: str = ""


Parts = Mapping[str, _Look]


def _grid(number: int, ink: _Ink) -> tuple[_Look, Parts]:
    """Grid Table 1 to 7."""
    bands = dict.fromkeys(("band1Vert", "band1Horz"), _Look(shading=ink.fill("33")))
    bold = {"firstCol": _Look(_BOLD), "lastCol": _Look(_BOLD)}
    tinted = "".join(ink.line(s, 4, "99") for s in _SIDES)
    match number:
        case 1:
            base = _Look(borders="".join(ink.line(s, 4, "66") for s in _SIDES))
            first = _Look(_BOLD, ink.line("bottom", 12, "99"))
            return base, {
                "firstRow": first,
                "lastRow": _Look(_BOLD, ink.line("top", 2, "99", "double")),
                **bold,
            }
        case 2:
            base = _Look(
                borders="".join(ink.line(s, 2, "99") for s in ("top", "bottom", "insideH", "insideV"))
            )
            first = _nil("top") + ink.line("bottom", 12, "99") + _nil("insideH", "insideV")
            last = ink.line("top", 2, "99", "double") + _nil("bottom", "insideH", "insideV")
            ends = {"firstRow": _Look(_BOLD, first, _PAPER), "lastRow": _Look(_BOLD, last, _PAPER)}
            return base, {**ends, **bold, **bands}
        case 3 | 7:
            row = _nil("left", "right", "insideH", "insideV")
            column = _nil("top", "bottom", "insideH", "insideV")
            return _Look(ink.text() if number == 7 else "", tinted), {
                "firstRow": _Look(_BOLD, _nil("top") + row, _PAPER),
                "lastRow": _Look(_BOLD, _nil("bottom") + row, _PAPER),
                "firstCol": _Look(_ITALIC, _nil("left") + column, _PAPER),
                "lastCol": _Look(_ITALIC, column + _nil("right"), _PAPER),
                **bands,
            }
        case 4:
            first = "".join(ink.line(s, 4) for s in _SIDES[:4]) + _nil("insideH", "insideV")
            return _Look(borders=tinted), {
                "firstRow": _Look(_BOLD + _WHITE, first, ink.fill()),
                "lastRow": _Look(_BOLD, ink.line("top", 4, kind="double")),
                **bold,
                **bands,
            }
        case 5:
            white = {s: _paper_line(s) for s in _SIDES}
            dark = _BOLD + _WHITE
            return _Look(borders="".join(white.values()), shading=ink.fill("33")), {
                "firstRow": _Look(
                    dark,
                    white["top"] + white["left"] + white["right"] + _nil("insideH", "insideV"),
                    ink.fill(),
                ),
                "lastRow": _Look(
                    dark,
                    white["left"] + white["bottom"] + white["right"] + _nil("insideH", "insideV"),
                    ink.fill(),
                ),
                "firstCol": _Look(
                    dark, white["top"] + white["left"] + white["bottom"] + _nil("insideV"), ink.fill()
                ),
                "lastCol": _Look(
                    dark, white["top"] + white["bottom"] + white["right"] + _nil("insideV"), ink.fill()
                ),
                **dict.fromkeys(("band1Vert", "band1Horz"), _Look(shading=ink.fill("66"))),
            }
        case _:
            first = _Look(_BOLD, ink.line("bottom", 12, "99"))
            last = _Look(_BOLD, ink.line("top", 4, "99", "double"))
            return _Look(ink.text(), tinted), {"firstRow": first, "lastRow": last, **bold, **bands}


def _list(number: int, ink: _Ink) -> tuple[_Look, Parts]:
    """List Table 1 to 7."""
    bands = dict.fromkeys(("band1Vert", "band1Horz"), _Look(shading=ink.fill("33")))
    bold = {"firstCol": _Look(_BOLD), "lastCol": _Look(_BOLD)}
    match number:
        case 1:
            ends = {
                "firstRow": _Look(_BOLD, ink.line("bottom", 4, "99")),
                "lastRow": _Look(_BOLD, ink.line("top", 4, "99")),
            }
            return _Look(), {**ends, **bold, **bands}
        case 2:
            base = _Look(borders="".join(ink.line(s, 4, "99") for s in ("top", "bottom", "insideH")))
            return base, {"firstRow": _Look(_BOLD), "lastRow": _Look(_BOLD), **bold, **bands}
        case 3:
            return _Look(borders="".join(ink.line(s, 4) for s in _SIDES[:4])), {
                "firstRow": _Look(_BOLD + _WHITE, shading=ink.fill()),
                "lastRow": _Look(_BOLD, ink.line("top", 4, kind="double"), _PAPER),
                "firstCol": _Look(_BOLD, _nil("right"), _PAPER),
                "lastCol": _Look(_BOLD, _nil("left"), _PAPER),
                "band1Vert": _Look(borders=ink.line("left", 4) + ink.line("right", 4)),
                "band1Horz": _Look(borders=ink.line("top", 4) + ink.line("bottom", 4)),
            }
        case 4:
            first = "".join(ink.line(s, 4) for s in _SIDES[:4]) + _nil("insideH")
            return _Look(borders="".join(ink.line(s, 4, "99") for s in _SIDES[:5])), {
                "firstRow": _Look(_BOLD + _WHITE, first, ink.fill()),
                "lastRow": _Look(_BOLD, ink.line("top", 4, "99", "double")),
                **bold,
                **bands,
            }
        case 5:
            return _Look(_WHITE, "".join(ink.line(s, 24) for s in _SIDES[:4]), ink.fill()), {
                "firstRow": _Look(_BOLD, _paper_line("bottom").replace('w:sz="4"', 'w:sz="18"')),
                "lastRow": _Look(_BOLD, _paper_line("top")),
                "firstCol": _Look(_BOLD, _paper_line("right")),
                "lastCol": _Look(_BOLD, _paper_line("left")),
                "band1Vert": _Look(borders=_paper_line("left") + _paper_line("right")),
                "band1Horz": _Look(borders=_paper_line("top") + _paper_line("bottom")),
            }
        case 6:
            ends = {
                "firstRow": _Look(_BOLD, ink.line("bottom", 4)),
                "lastRow": _Look(_BOLD, ink.line("top", 4, kind="double")),
            }
            return _Look(ink.text(), ink.line("top", 4) + ink.line("bottom", 4)), {**ends, **bold, **bands}
        case _:
            large = _ITALIC + '<w:sz w:val="26"/>'
            return _Look(ink.text()), {
                "firstRow": _Look(large, ink.line("bottom", 4), _PAPER),
                "lastRow": _Look(large, ink.line("top", 4), _PAPER),
                "firstCol": _Look(large, ink.line("right", 4), _PAPER),
                "lastCol": _Look(large, ink.line("left", 4), _PAPER),
                **bands,
            }


def _plain(number: int) -> tuple[_Look, Parts]:
    """Plain Table 1 to 5."""
    pale = '<w:shd w:val="clear" w:color="auto" w:fill="F2F2F2" w:themeFill="background1" w:themeFillShade="F2"/>'
    bands = dict.fromkeys(("band1Vert", "band1Horz"), _Look(shading=pale))
    ink, capitals = _Ink(0), _BOLD + "<w:caps/>"
    bold = dict.fromkeys(("firstRow", "lastRow", "firstCol", "lastCol"), _Look(_BOLD))
    match number:
        case 1:
            base = _Look(borders="".join(_grey(s) for s in _SIDES))
            return base, {**bold, "lastRow": _Look(_BOLD, _grey("top", "double")), **bands}
        case 2:
            line = {s: ink.line(s, 4, "80") for s in _SIDES}
            return _Look(borders=line["top"] + line["bottom"]), {
                **bold,
                "firstRow": _Look(_BOLD, line["bottom"]),
                "lastRow": _Look(_BOLD, line["top"]),
                "band1Vert": _Look(borders=line["left"] + line["right"]),
                "band1Horz": _Look(borders=line["top"] + line["bottom"]),
            }
        case 3:
            return _Look(), {
                "firstRow": _Look(capitals, ink.line("bottom", 4, "80")),
                "lastRow": _Look(capitals),
                "firstCol": _Look(capitals, ink.line("right", 4, "80")),
                "lastCol": _Look(capitals),
                **bands,
            }
        case 4:
            return _Look(), {**bold, **bands}
        case _:
            large = _ITALIC + '<w:sz w:val="26"/>'
            return _Look(), {
                "firstRow": _Look(large, ink.line("bottom", 4, "80"), _PAPER),
                "lastRow": _Look(large, ink.line("top", 4, "80"), _PAPER),
                "firstCol": _Look(large, ink.line("right", 4, "80"), _PAPER),
                "lastCol": _Look(large, ink.line("left", 4, "80"), _PAPER),
                **bands,
            }


def _xml(name: str, style_id: str, priority: int, base: _Look, parts: Parts) -> str:
    characters = f"<w:rPr>{base.characters}</w:rPr>" if base.characters else ""
    borders = f"<w:tblBorders>{_ordered(base.borders)}</w:tblBorders>" if base.borders else ""
    shading = f"<w:tcPr>{base.shading}</w:tcPr>" if base.shading else ""
    order = ("firstRow", "lastRow", "firstCol", "lastCol", "band1Vert", "band1Horz")
    return (
        f'<w:style xmlns:w="{W[1:-1]}" w:type="table" w:styleId="{style_id}"><w:name w:val="{name}"/>'
        f'<w:basedOn w:val="TableNormal"/><w:uiPriority w:val="{priority}"/>'
        f'<w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr>{characters}'
        f'<w:tblPr><w:tblStyleRowBandSize w:val="1"/><w:tblStyleColBandSize w:val="1"/>{borders}</w:tblPr>{shading}'
        + "".join(_part(kind, parts[kind]) for kind in order if kind in parts)
        + "</w:style>"
    )


def _part(kind: str, look: _Look) -> str:
    characters = f"<w:rPr>{look.characters}</w:rPr>" if look.characters else ""
    borders = f"<w:tcBorders>{_ordered(look.borders)}</w:tcBorders>" if look.borders else ""
    return f'<w:tblStylePr w:type="{kind}">{characters}<w:tblPr/><w:tcPr>{borders}{look.shading}</w:tcPr></w:tblStylePr>'


def _ordered(borders: str) -> str:
    """The schema wants the sides in one order."""
    lines = re.findall(r"<w:[^>]*/>", borders)
    return "".join(sorted(lines, key=lambda line: _SIDES.index(line[3:].split(" ")[0])))


_SUFFIX = {1: " Light", 5: " Dark", 6: " Colorful", 7: " Colorful"}


@lru_cache(maxsize=1)
def modern_table_styles() -> dict[tuple[str, str], Any]:
    """`w:style` elements by kind and lower-case name; to be copied, not changed."""
    texts = {
        "Grid Table Light": _xml(
            "Grid Table Light", "TableGridLight", 40, _Look(borders="".join(_grey(s) for s in _SIDES)), {}
        )
    }
    for number in range(1, 6):
        name = f"Plain Table {number}"
        texts[name] = _xml(name, f"PlainTable{number}", 40 + number, *_plain(number))
    for family, make in (("Grid", _grid), ("List", _list)):
        for number in range(1, 8):
            for accent in range(7):
                name = f"{family} Table {number}{_SUFFIX.get(number, '')}"
                style_id = name.replace(" ", "") + (f"-Accent{accent}" if accent else "")
                name += f" Accent {accent}" if accent else ""
                texts[name] = _xml(name, style_id, 45 + number, *make(number, _Ink(accent)))
    return {("table", name.lower()): parse_xml(text) for name, text in texts.items()}
