from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agent.document.layout import text_width
from agent.document.mirror import Mirror
from agent.document.names import PIC, W_P, W_TBL, W_TC, WP, A, W
from agent.errors import AmbiguousTarget, InvalidValue, TargetNotFound
from agent.operations.catalogue import catalogue
from agent.operations.execution import execute
from agent.operations.specimens import Piece, doc, p, png, table
from tests.corpus import manifest
from tests.operations.trial import attempt


def opened(*pieces: Piece, **files: bytes) -> Mirror:
    mirror = Mirror.open(doc(*pieces)())
    mirror.attachments = {name.replace("_", "."): blob for name, blob in files.items()}
    return mirror


def encoded(kind: str, size: tuple[int, int] = (40, 20), **more: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, (10, 200, 30)).save(buffer, kind, **more)
    return buffer.getvalue()


def extent(mirror: Mirror) -> tuple[int, int]:
    found = next(mirror.body.iter(WP + "extent"))
    return int(found.get("cx")), int(found.get("cy"))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP", "TIFF"])
def test_each_kind_of_picture_goes_in_with_its_bytes_and_type(kind: str) -> None:
    mirror = opened(p("x"), photo_dat=encoded(kind))
    attempt(mirror, "insert_image", {"picture": "photo.dat"})
    (name,) = [n for n in mirror.file.parts if "/media/" in n]
    part = mirror.file.parts[name]
    assert part.blob == encoded(kind)
    assert part.content_type == f"image/{kind.lower()}"
    assert Mirror.open(mirror.save()).file.parts[name].content_type == f"image/{kind.lower()}"


def test_a_jpeg_without_the_usual_marker_is_a_jpeg_all_the_same() -> None:
    blob = encoded("JPEG")
    bare = blob[:2] + blob[2 + 2 + int.from_bytes(blob[4:6], "big") :]
    assert b"JFIF" not in bare
    mirror = opened(p("x"), photo_jpg=bare)
    attempt(mirror, "insert_image", {})
    assert Mirror.open(mirror.save())


def test_size_by_width_by_height_by_both_and_by_resolution() -> None:
    cases: list[tuple[dict[str, str], tuple[int, int]]] = [
        ({"width": "4cm"}, (1_440_000, 720_000)),
        ({"height": "1cm"}, (720_000, 360_000)),
        ({"width": "2cm", "height": "2cm"}, (720_000, 720_000)),
        ({}, (381_000, 190_500)),
    ]
    for wish, size in cases:
        mirror = opened(p("x"), a_png=encoded("PNG"))
        attempt(mirror, "insert_image", wish)
        assert extent(mirror) == size
        inner = next(next(mirror.body.iter(PIC + "spPr")).iter(A + "ext"))
        assert (int(inner.get("cx")), int(inner.get("cy"))) == size
    mirror = opened(p("x"), a_png=encoded("PNG", dpi=(200, 200)))
    attempt(mirror, "insert_image", {})
    assert extent(mirror)[0] == pytest.approx(182_880, rel=0.01)


def test_a_large_picture_is_no_wider_than_the_text_and_no_higher_than_the_page() -> None:
    mirror = opened(p("x"), a_png=png(4000, 400), b_png=png(100, 4000))
    attempt(mirror, "insert_image", {"picture": "a.png"})
    assert extent(mirror)[0] == text_width(mirror, None) * 635
    mirror = opened(p("x"), b_png=png(100, 4000))
    attempt(mirror, "insert_image", {"width": "100%"})
    assert extent(mirror)[1] <= 12960 * 635


def test_a_picture_in_a_cell_fits_the_cell_and_takes_its_blank_paragraph() -> None:
    mirror = opened(table([["", "b"], ["c", "d"]]), a_png=png(4000, 400))
    attempt(mirror, "insert_image", {"cell": {"table": 1, "row": 1, "column": 1}}, "8")
    attempt(mirror, "insert_image", {"cell": {"table": 1, "row": 2, "column": 1}, "alignment": "center"}, "9")
    first, _, third, _ = mirror.body.iter(W_TC)
    assert len(first.findall(W_P)) == 1
    assert len(third.findall(W_P)) == 2
    assert extent(mirror)[0] == (4320 - 216) * 635
    ids = [d.get("id") for d in mirror.body.iter(WP + "docPr")]
    assert len(set(ids)) == 2


def test_the_same_picture_twice_is_one_file_in_the_package() -> None:
    mirror = opened(p("x"), a_png=png())
    attempt(mirror, "insert_image", {}, "8")
    attempt(mirror, "insert_image", {"place": {"at": "start"}}, "9")
    assert sum("/media/" in n for n in mirror.file.parts) == 1


def test_lines_of_exact_height_do_not_cut_the_picture() -> None:
    mirror = opened(p("x"), a_png=png())
    with mirror.edit("1") as editor:
        style = next(s for s in mirror.document.styles.element if s.get(W + "styleId") == "Normal")
        ppr = style.find(W + "pPr")
        ppr = ppr if ppr is not None else style.get_or_add_pPr()
        editor.set_property(ppr, "spacing", {"line": "360", "lineRule": "exact"})
    attempt(mirror, "insert_image", {})
    assert mirror.body.findall(W_P)[-1].find(f"{W}pPr/{W}spacing").get(W + "lineRule") == "auto"


@pytest.mark.parametrize(
    ("blob", "words"),
    [
        (encoded("PNG")[:60], "damaged"),
        (encoded("JPEG", (400, 400))[:-300], "damaged"),
        (b"\x89PNG\r\n\x1a\n" + b"0" * 50, "damaged"),
        (b"hello", "not a picture"),
        (b"<svg xmlns='x'/>", "SVG"),
        (b"%PDF-1.7", "PDF"),
        (encoded("WEBP"), "WEBP"),
        (b"", "not a picture"),
    ],
)
def test_what_is_no_sound_picture_is_refused_in_words(blob: bytes, words: str) -> None:
    mirror = opened(p("x"), a_png=blob)
    with pytest.raises(InvalidValue, match=words):
        attempt(mirror, "insert_image", {"picture": "a.png"})


def test_the_attached_files_are_named_when_the_wanted_one_is_not_there() -> None:
    mirror = opened(p("x"), a_png=png(), b_png=png())
    with pytest.raises(TargetNotFound, match=r"a\.png, b\.png"):
        attempt(mirror, "insert_image", {"picture": "c.png"})
    with pytest.raises(AmbiguousTarget, match=r"a\.png, b\.png"):
        attempt(mirror, "insert_image", {})
    attempt(mirror, "insert_image", {"picture": "A"})


def test_the_only_attachment_is_logged_by_its_name_so_that_a_replay_takes_the_same_one() -> None:
    mirror = opened(p("x"), logo_png=encoded("PNG"))
    done = execute(mirror, catalogue(), "insert_image", {}, "1")
    assert done.params["picture"] == "logo.png"
    mirror.apply(done.delta.inverse())
    mirror.attachments["chart.png"] = png(30, 30)
    again = execute(mirror, catalogue(), "insert_image", dict(done.params), "1")
    assert again.params == done.params
    (part,) = [n for n in mirror.file.parts if "/media/" in n]
    assert mirror.file.parts[part].blob == encoded("PNG")


def test_an_attachment_that_was_taken_away_is_found_by_its_name_and_is_not_the_only_one() -> None:
    mirror = opened(p("x"))
    mirror.withdrawn["logo.png"] = encoded("PNG")
    assert execute(mirror, catalogue(), "insert_image", {"picture": "logo.png"}, "1").params["picture"]
    with pytest.raises(TargetNotFound, match="No picture is attached"):
        execute(mirror, catalogue(), "insert_image", {}, "2")


def test_a_name_without_its_extension_that_two_files_have_is_refused_with_both() -> None:
    mirror = opened(p("x"), logo_png=encoded("PNG"), logo_gif=encoded("GIF"))
    with pytest.raises(AmbiguousTarget, match=r"logo\.png, logo\.gif"):
        execute(mirror, catalogue(), "insert_image", {"picture": "logo"}, "1")
    assert (
        execute(mirror, catalogue(), "insert_image", {"picture": "LOGO.gif"}, "1").params["picture"]
        == "logo.gif"
    )


def test_base64_without_a_prefix_is_read_and_a_wrong_size_is_refused() -> None:
    mirror = opened(p("x"))
    text = base64.b64encode(png()).decode()
    attempt(mirror, "insert_image", {"picture": text})
    for width in ("0cm", "-3cm", "x%", "wide"):
        with pytest.raises(InvalidValue):
            attempt(mirror, "insert_image", {"picture": text, "width": width})


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_a_picture_at_both_ends_and_in_a_cell_of_documents_by_others(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    mirror.attachments["a.png"] = png(3000, 1000)
    attempt(mirror, "insert_image", {"place": {"at": "start"}, "width": "50%"}, "7")
    attempt(mirror, "insert_image", {"alignment": "right", "alt_text": "A"}, "8")
    tbl = next((t for t in mirror.body.iter(W_TBL) if mirror.id_of(t)), None)
    if tbl is not None:
        where = {"ids": [mirror.id_of(tbl)], "row": 1, "column": 1}
        attempt(mirror, "insert_image", {"cell": where}, "9")
