"""Make the add-in's manifest from its one template.

    python -m tools.make_manifest                                 manifest.xml, for a server on this machine
    python -m tools.make_manifest https://stet.example.org -o X   a release manifest for that origin
    python -m tools.make_manifest --check                         fail when manifest.xml is not current

The version is the package's, with a fourth part: Office wants four.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent
TEMPLATE = ROOT / "tools" / "manifest.template.xml"
DEVELOPMENT = ROOT / "manifest.xml"
DEVELOPMENT_ORIGIN = "https://localhost:8443"
"""Where `stet word` serves the pane."""


def package_version() -> str:
    """The version in pyproject.toml as Office writes versions: four numbers."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return f"{version}.0"


def manifest(origin: str) -> str:
    """The manifest of the add-in served at `origin` (scheme, host, port; no path). Raises ValueError for
    other text.
    """
    parts = urlsplit(origin)
    if parts.scheme != "https" or not parts.netloc or parts.path or parts.query:
        raise ValueError(f"an origin looks like https://stet.example.org, not {origin!r}")
    template = Template(TEMPLATE.read_text(encoding="utf-8"))
    return template.substitute(origin=origin, version=package_version())


def main(argv: list[str] | None = None) -> int:
    """Write or check; the exit code is 1 when a check fails."""
    parser = argparse.ArgumentParser(description="Make the add-in's manifest from its template.")
    parser.add_argument("origin", nargs="?", default=DEVELOPMENT_ORIGIN)
    parser.add_argument("-o", "--output", type=Path, default=DEVELOPMENT)
    parser.add_argument("--check", action="store_true", help="only say whether the file is current")
    arguments = parser.parse_args(argv)
    text = manifest(arguments.origin)
    if not arguments.check:
        arguments.output.write_text(text, encoding="utf-8")
        return 0
    if arguments.output.exists() and arguments.output.read_text(encoding="utf-8") == text:
        return 0
    print(
        f"{arguments.output.name} differs from its template: run python -m tools.make_manifest",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
