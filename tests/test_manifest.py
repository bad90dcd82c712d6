"""The add-in's manifest obeys the rules, and each rule catches a manifest that breaks it."""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path

import pytest

from tools import make_icons, make_manifest
from tools.check_manifest import PAGE_FOLDERS, RULES, faults

RELEASE = make_manifest.manifest("https://stet.example.org")
DEVELOPMENT = make_manifest.DEVELOPMENT.read_text(encoding="utf-8")


def test_the_development_manifest_obeys_every_rule() -> None:
    assert faults(DEVELOPMENT, release=False) == []


def test_the_release_manifest_obeys_every_rule() -> None:
    assert faults(RELEASE, release=True) == []


def test_the_committed_manifest_is_what_the_template_makes() -> None:
    assert make_manifest.main(["--check"]) == 0


def test_the_committed_icons_are_what_the_script_draws() -> None:
    for size in make_icons.SIZES:
        data = (make_icons.ICONS / f"stet-{size}.png").read_bytes()
        # Compressed bytes depend on the zlib at hand, so the pixels are compared. One IDAT, then the 12 bytes
        # of IEND.
        start = data.index(b"IDAT") + 4
        assert zlib.decompress(data[start:-16]) == make_icons.pixels(size)


def test_a_manifest_is_made_only_for_an_https_origin_without_a_path() -> None:
    for origin in ("http://stet.example.org", "https://stet.example.org/pane", "stet.example.org"):
        with pytest.raises(ValueError, match="an origin looks like"):
            make_manifest.manifest(origin)


BROKEN = [
    ("order", "<ProviderName>The Stet authors</ProviderName>", ""),
    ("order", "<Permissions>ReadWriteDocument</Permissions>", ""),
    ("identity", "2af37227-553e", "2af37227-55e"),
    ("identity", "<Version>", "<Version>9"),
    ("identity", 'xsi:type="TaskPaneApp"', 'xsi:type="ContentApp"'),
    ("resources", 'resid="Open.Label"', 'resid="Open.Lable"'),
    ("resources", 'LearnMoreUrl resid="Support.Url"', 'LearnMoreUrl resid="Group.Label"'),
    ("resources", "Open.Description", "Open.Description.That.Goes.On.And.On"),
    ("lengths", "Stet is ready", "Stet is ready " * 10),
    ("lengths", "Choose Open Stet", "Choose Open Stet " * 16),
    ("lengths", "Type a request in plain words", "Type a request " * 17),
    ("addresses", "https://stet.example.org/support.html", "http://stet.example.org/support.html"),
    ("addresses", "https://stet.example.org/icons/stet-16.png", "https://cdn.example.org/icons/stet-16.png"),
    ("addresses", "https://stet.example.org", "https://localhost:8443"),
    ("files", "/support.html", "/help.html"),
    ("files", "/taskpane.html", "/pane.html"),
    ("icons", '<bt:Image size="80" resid="Icon.80" />', ""),
    ("icons", "icons/stet-32.png", "icons/stet-40.png"),
    ("icons", "icons/stet-64.png", "support.html"),
    ("reach", 'Host Name="Document"', 'Host Name="Workbook"'),
    ("reach", 'Host xsi:type="Document"', 'Host xsi:type="Presentation"'),
    ("reach", 'Set Name="WordApi"', 'Set Name="WordApiDesktop"'),
    ("reach", 'MinVersion="1.3" />', 'MinVersion="1.6" />'),
    ("reach", "ReadWriteDocument", "ReadDocument"),
    ("reach", "<DesktopFormFactor>", '<Runtimes><Runtime resid="Pane.Url" /></Runtimes><DesktopFormFactor>'),
    ("opens_pane", 'id="Pane.Url" DefaultValue="https://stet.example.org/taskpane.html"',
     'id="Pane.Url" DefaultValue="https://stet.example.org/support.html"'),
    ("parses", "</Resources>", ""),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "good", "bad"), BROKEN)
def test_a_broken_manifest_is_caught_by_the_rule_it_breaks(rule: str, good: str, bad: str) -> None:
    assert good in RELEASE
    assert rule in {fault.split(":")[0] for fault in faults(RELEASE.replace(good, bad), release=True)}


def test_every_rule_is_shown_to_catch_something() -> None:
    assert {rule.__name__ for rule in RULES} <= {rule for rule, _, _ in BROKEN}


def test_an_icon_that_is_gone_is_missed(tmp_path: Path) -> None:
    shutil.copytree(PAGE_FOLDERS[0], tmp_path, dirs_exist_ok=True)
    (tmp_path / "icons" / "stet-80.png").unlink()
    found = faults(RELEASE, release=True, folders=(tmp_path, PAGE_FOLDERS[1]))
    assert {fault.split(":")[0] for fault in found} == {"files", "icons"}
