"""The order in which the schema wants the children of property elements (wml.xsd, ECMA-376 part 1)."""

from __future__ import annotations

from collections.abc import Sequence

from agent.document.names import W_PPR, W_RPR, W_SECTPR, W_TBLPR, W_TCPR, W_TRPR

_PARAGRAPH = (
    "pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd "
    "tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi "
    "adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc "
    "textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange "
)

_RUN = (
    "rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof "
    "snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText "
    "vertAlign rtl cs em lang eastAsianLayout specVanish oMath rPrChange "
)

_TABLE = (
    "tblStyle tblpPr tblOverlap bidiVisual tblStyleRowBandSize tblStyleColBandSize tblW jc tblCellSpacing "
    "tblInd tblBorders shd tblLayout tblCellMar tblLook tblCaption tblDescription tblPrChange "
)

_ROW = (
    "cnfStyle divId gridBefore gridAfter wBefore wAfter cantSplit trHeight tblHeader tblCellSpacing jc "
    "hidden ins del trPrChange "
)

_CELL = (
    "cnfStyle tcW gridSpan hMerge vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign "
    "hideMark headers cellIns cellDel cellMerge tcPrChange "
)


_SECTION = (
    "headerReference footerReference footnotePr endnotePr type pgSz pgMar paperSrc pgBorders lnNumType pgNumType cols "
    "formProt vAlign noEndnote titlePg textDirection bidi rtlGutter docGrid printerSettings sectPrChange "
)

ORDER: dict[str, Sequence[str]] = {
    W_PPR: _PARAGRAPH.split(),
    W_RPR: _RUN.split(),
    W_TBLPR: _TABLE.split(),
    W_TRPR: _ROW.split(),
    W_TCPR: _CELL.split(),
    W_SECTPR: _SECTION.split(),
}
"""Local names by the parent's tag."""
