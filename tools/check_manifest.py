"""Rules for the add-in's manifest that need no network: Microsoft's own validator is a web service.

    python -m tools.check_manifest manifest.xml [--release]

Source of the rules: the add-in only manifest reference (office-js-docs-reference, docs/manifest) and its XML
schema.
"""

from __future__ import annotations

import argparse
import re
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from lxml import etree

from tools.make_manifest import ROOT, package_version

APP = "http://schemas.microsoft.com/office/appforoffice/1.1"
OVERRIDES = "http://schemas.microsoft.com/office/taskpaneappversionoverrides"
TYPES = "http://schemas.microsoft.com/office/officeappbasictypes/1.0"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
NAMES = {"a": APP, "v": OVERRIDES, "bt": TYPES, "xsi": XSI}

PAGE_FOLDERS = (ROOT / "taskpane" / "public", ROOT / "taskpane")
"""Where the files that the manifest names come from; the build copies them to the server's static folder."""
TOP_LEVEL = [
    "Id", "Version", "ProviderName", "DefaultLocale", "DisplayName", "Description",
    "IconUrl", "HighResolutionIconUrl", "SupportUrl", "AppDomains", "Hosts",
    "Requirements", "DefaultSettings", "Permissions", "VersionOverrides",
]  # fmt: skip
"""Children of OfficeApp in the order that the schema demands."""
NEEDED_ICONS = {16, 32, 80}
"""Sizes that a ribbon icon must have, in pixels."""
GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True)
class Manifest:
    """A parsed manifest and where it will be used."""

    root: etree._Element
    release: bool
    """True: for people's machines. False: for the server on this one."""
    folders: Sequence[Path] = PAGE_FOLDERS

    def texts(self, path: str) -> list[str]:
        """Texts or attribute values at an XPath."""
        found = self.root.xpath(path, namespaces=NAMES)
        return [str(item) for item in found] if isinstance(found, list) else [str(found)]

    def urls(self) -> list[str]:
        """Every address in the manifest."""
        return [
            *self.texts(
                "//a:*[contains(local-name(), 'Url') or local-name() = 'SourceLocation']/@DefaultValue"
            ),
            *self.texts("//a:AppDomain/text()"),
            *self.texts("//bt:Image/@DefaultValue | //bt:Url/@DefaultValue"),
        ]

    def file(self, url: str) -> Path | None:
        """The file behind an address, or None."""
        path = urlsplit(url).path.lstrip("/")
        return next((folder / path for folder in self.folders if (folder / path).is_file()), None)


def order(manifest: Manifest) -> Iterator[str]:
    """The schema is a sequence: another order is refused."""
    names = [etree.QName(child).localname for child in manifest.root if isinstance(child.tag, str)]
    if names != TOP_LEVEL:
        yield f"children of OfficeApp are {' '.join(names)}, expected {' '.join(TOP_LEVEL)}"


def identity(manifest: Manifest) -> Iterator[str]:
    """A GUID, and the package's version in four parts."""
    if manifest.root.get(f"{{{XSI}}}type") != "TaskPaneApp":
        yield "OfficeApp is not a TaskPaneApp"
    if not GUID.fullmatch(manifest.root.findtext("a:Id", "", NAMES)):
        yield "Id is not a GUID"
    version = manifest.root.findtext("a:Version", "", NAMES)
    if version != package_version():
        yield f"Version is {version}, the package's is {package_version()}"


def resources(manifest: Manifest) -> Iterator[str]:
    """A `resid` is at most 32 characters and names a resource of the kind that its element wants."""
    kinds = {
        etree.QName(group).localname: {str(entry.get("id")) for entry in group.iter(f"{{{TYPES}}}*")}
        for group in manifest.root.iterfind(".//v:Resources/*", NAMES)
    }
    wanted = {
        "Image": "Images",
        "Description": "LongStrings",
        "SourceLocation": "Urls",
        "LearnMoreUrl": "Urls",
    }
    for element in manifest.root.iterfind(".//*[@resid]"):
        resid = element.get("resid", "")
        kind = wanted.get(etree.QName(element).localname, "ShortStrings")
        if len(resid) > 32:
            yield f"resid {resid} is longer than 32 characters"
        if resid not in kinds.get(kind, set()):
            yield f"resid {resid} is not in {kind}"


def lengths(manifest: Manifest) -> Iterator[str]:
    """Word cuts or refuses longer strings."""
    for group, limit in (("ShortStrings", 125), ("LongStrings", 250)):
        for entry in manifest.root.iterfind(f".//bt:{group}/bt:String", NAMES):
            if len(entry.get("DefaultValue", "")) > limit:
                yield f"{entry.get('id')} is longer than the {limit} characters of {group}"
    for name, limit in (("DisplayName", 125), ("Description", 250)):
        if len(manifest.texts(f"string(a:{name}/@DefaultValue)")[0]) > limit:
            yield f"{name} is longer than {limit} characters"


def addresses(manifest: Manifest) -> Iterator[str]:
    """Everything over https and from one origin; a release names no machine of ours."""
    origins: set[str] = set()
    for url in manifest.urls():
        parts = urlsplit(url)
        if parts.scheme != "https":
            yield f"{url} is not https"
        origins.add(f"{parts.scheme}://{parts.netloc}")
        if manifest.release and parts.hostname in {"localhost", "127.0.0.1", "::1"}:
            yield f"{url} is this machine's"
    if len(origins) > 1:
        yield f"several origins: {' '.join(sorted(origins))}"


def files(manifest: Manifest) -> Iterator[str]:
    """Every file that is named is one that the page is built from."""
    for url in manifest.urls():
        if urlsplit(url).path and manifest.file(url) is None:
            yield f"no file for {url}"


def icons(manifest: Manifest) -> Iterator[str]:
    """PNG of the size that is said, the needed sizes at every icon (`IconUrl` 32, `HighResolutionIconUrl`
    64).
    """
    images = {
        str(e.get("id")): str(e.get("DefaultValue"))
        for e in manifest.root.iterfind(".//bt:Images/bt:Image", NAMES)
    }
    said = [
        (32, manifest.texts("string(a:IconUrl/@DefaultValue)")[0]),
        (64, manifest.texts("string(a:HighResolutionIconUrl/@DefaultValue)")[0]),
    ]
    for icon in manifest.root.iterfind(".//v:Icon", NAMES):
        sizes = {
            int(e.get("size", "0")): images.get(e.get("resid", ""), "")
            for e in icon.iterfind("bt:Image", NAMES)
        }
        if missing := NEEDED_ICONS - sizes.keys():
            yield f"an icon lacks the sizes {sorted(missing)}"
        said += sizes.items()
    for size, url in said:
        path = manifest.file(url)
        head = path.read_bytes()[:24] if path else b""
        if not head.startswith(b"\x89PNG\r\n\x1a\n"):
            yield f"{url or 'an icon'} is not a PNG file"
        elif struct.unpack(">II", head[16:24]) != (size, size):
            yield f"{url} is not {size} pixels square"


def reach(manifest: Manifest) -> Iterator[str]:
    """Word alone (which the schema calls Document), from WordApi 1.3 on, so that Office 2019 has it too.

    A Desktop requirement set would hide the add-in from Word on the web; `Runtimes` and Restricted
    permissions would ask for, or give, what the pane does not use.
    """
    if manifest.texts("//a:Hosts/a:Host/@Name") != ["Document"]:
        yield "Hosts is not Document alone"
    if manifest.texts("//v:Hosts/v:Host/@xsi:type") != ["Document"]:
        yield "the overrides' host is not Document alone"
    sets = [(e.get("Name"), e.get("MinVersion")) for e in manifest.root.iterfind(".//a:Set", NAMES)]
    if sets != [("WordApi", "1.3")]:
        yield f"requirement sets are {sets}, expected WordApi 1.3"
    if manifest.root.findtext("a:Permissions", "", NAMES) != "ReadWriteDocument":
        yield "Permissions is not ReadWriteDocument"
    if manifest.root.find(".//v:Runtimes", NAMES) is not None:
        yield "Runtimes is there, but no shared runtime is used"


def opens_pane(manifest: Manifest) -> Iterator[str]:
    """The button opens the page that the add-in starts with."""
    start = manifest.texts("string(a:DefaultSettings/a:SourceLocation/@DefaultValue)")[0]
    urls = {str(e.get("id")): e.get("DefaultValue") for e in manifest.root.iterfind(".//bt:Url", NAMES)}
    opened = [urls.get(resid) for resid in manifest.texts("//v:Action/v:SourceLocation/@resid")]
    if opened != [start]:
        yield f"the button opens {opened}, the add-in starts with {start}"


RULES: tuple[Callable[[Manifest], Iterator[str]], ...] = (
    order, identity, resources, lengths, addresses, files, icons, reach, opens_pane,
)  # fmt: skip


def faults(text: str, release: bool, folders: Sequence[Path] = PAGE_FOLDERS) -> list[str]:
    """What is wrong with a manifest, one sentence each, led by the rule's name; empty if nothing is."""
    try:
        root = etree.fromstring(text.encode())
    except etree.XMLSyntaxError as error:
        return [f"parses: {error}"]
    manifest = Manifest(root, release, folders)
    return [f"{rule.__name__}: {fault}" for rule in RULES for fault in rule(manifest)]


def main(argv: list[str] | None = None) -> int:
    """Print the faults; exit code 1 if there are any."""
    parser = argparse.ArgumentParser(description="Check an add-in manifest without the network.")
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--release", action="store_true")
    arguments = parser.parse_args(argv)
    found = faults(arguments.manifest.read_text(encoding="utf-8"), arguments.release)
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
