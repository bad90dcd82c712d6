"""Lengths, sizes and colours as people write them, converted once.

Lengths: "2.5cm", "10 mm", "1in", "36pt", a plain number is points. Font sizes: points, or a Chinese size name.
Colours: a name, "#RRGGBB" or "RRGGBB".
"""

from __future__ import annotations

import difflib
import re

from agent.errors import InvalidValue

EMU_PER_POINT = 12_700
EMU_PER_CM = 360_000
_POINTS = {
    "pt": 1.0,
    "cm": 72 / 2.54,
    "mm": 72 / 25.4,
    "in": 72.0,
    '"': 72.0,
    "inch": 72.0,
    "inches": 72.0,
    "pc": 12.0,
    "px": 0.75,
}
_LENGTH = re.compile(r"^\s*(-?\d+(?:[.,]\d+)?)\s*([a-z\"]*)\s*$", re.IGNORECASE)
CHINESE_SIZES = {
    "初号": 42, "小初": 36, "一号": 26, "小一": 24, "二号": 22, "小二": 18, "三号": 16, "小三": 15,
    "四号": 14, "小四": 12, "五号": 10.5, "小五": 9, "六号": 7.5, "小六": 6.5,
}  # fmt: skip
COLOURS = {
    "black": "000000", "white": "FFFFFF", "red": "FF0000", "green": "00B050", "blue": "0070C0", "yellow": "FFFF00",
    "orange": "FFC000", "purple": "7030A0", "grey": "808080", "gray": "808080", "light grey": "D9D9D9",
    "light gray": "D9D9D9", "dark grey": "404040", "dark gray": "404040", "dark red": "C00000", "dark blue": "002060",
    "light blue": "00B0F0", "light green": "92D050", "navy": "000080", "teal": "008080", "brown": "7B3F00",
    "pink": "FF69B4", "magenta": "FF00FF", "cyan": "00FFFF", "maroon": "800000", "olive": "808000", "gold": "FFD700",
    "silver": "C0C0C0", "dark green": "006400", "violet": "8F00FF", "turquoise": "40E0D0", "indigo": "4B0082",
}  # fmt: skip


def points(value: str | float) -> float:
    """A length in points. Raises InvalidValue with the forms that work."""
    if isinstance(value, (int, float)):
        return float(value)
    match = _LENGTH.match(value)
    unit = match.group(2).lower() if match else ""
    if match is None or (unit and unit not in _POINTS):
        raise InvalidValue(f"'{value}' is not a length; write it like 2.5cm, 10mm, 1in or 12pt.")
    return float(match.group(1).replace(",", ".")) * _POINTS[unit or "pt"]


def twips(value: str | float) -> int:
    """A length in twentieths of a point (`w:ind`, `w:pgMar`, `w:tcW`)."""
    return round(points(value) * 20)


def emu(value: str | float) -> int:
    """A length in English Metric Units (drawings)."""
    return round(points(value) * EMU_PER_POINT)


def font_size(value: str | float) -> float:
    """A font size in points, rounded to the half points that Word keeps (`w:sz`)."""
    size = CHINESE_SIZES.get(value.strip()) if isinstance(value, str) else None
    size = size if size is not None else points(value)
    if not 1 <= size <= 1638:
        raise InvalidValue(f"Word's font sizes go from 1 to 1638 pt, not {size:g}.")
    return round(size * 2) / 2


def colour(value: str) -> str:
    """A colour as RRGGBB in capitals. Raises InvalidValue with the nearest names."""
    text = value.strip().lstrip("#")
    if re.fullmatch(r"[0-9a-fA-F]{6}", text):
        return text.upper()
    name = " ".join(text.lower().replace("-", " ").split())
    if name in COLOURS:
        return COLOURS[name]
    near = difflib.get_close_matches(name, COLOURS, 3) or ["red", "blue", "green"]
    raise InvalidValue(f"'{value}' is not a colour; try {', '.join(near)}, or RRGGBB like 1F4E79.")
