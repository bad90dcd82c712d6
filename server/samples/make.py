"""Writes the sample documents: `python -m server.samples.make`, or `--check` to see that they are as the
script makes them.

The files have the same bytes wherever they are made: fixed dates, parts in one order, nothing compressed
(compressors differ from build to build).
"""

from __future__ import annotations

import argparse
import io
import sys
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from docx.document import Document

from server.samples import FOLDER, quarterly_report, service_agreement
from server.samples.parts import strip_template

WRITTEN = datetime(2026, 10, 12, 9, 0)  # python-docx writes it as UTC
BUILDERS: dict[str, Callable[[], Document]] = {
    "quarterly-report": quarterly_report.build,
    "service-agreement": service_agreement.build,
}
TITLES = {"quarterly-report": "Quarterly Report", "service-agreement": "Service Agreement"}


def make(sample: str) -> bytes:
    """The .docx of a sample."""
    document = BUILDERS[sample]()
    properties = document.core_properties
    properties.title, properties.author, properties.last_modified_by = (
        TITLES[sample],
        "Harbour & Finch Ltd",
        "",
    )
    properties.comments, properties.language, properties.revision = "", "en-GB", 1
    properties.created = properties.modified = WRITTEN
    strip_template(document)
    raw = io.BytesIO()
    document.save(raw)
    return _with_fixed_entries(raw.getvalue())


def _with_fixed_entries(data: bytes) -> bytes:
    """The same parts, content types first, with one date and stored."""
    fixed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as given,
        zipfile.ZipFile(fixed, "w", zipfile.ZIP_STORED) as written,
    ):
        for name in sorted(given.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            entry = zipfile.ZipInfo(name, date_time=(2026, 10, 12, 9, 0, 0))
            entry.external_attr = 0o600 << 16
            entry.create_system = 3
            written.writestr(entry, given.read(name))
    return fixed.getvalue()


def main(argv: list[str] | None = None, folder: Path = FOLDER) -> int:
    """Write the samples, or with `--check` say whether those on disk are current."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args(argv).check
    stale: list[str] = []
    for sample in BUILDERS:
        path = folder / f"{sample}.docx"
        data = make(sample)
        if not check:
            path.write_bytes(data)
        elif not path.exists() or path.read_bytes() != data:
            stale.append(path.name)
    if stale:
        print(
            f"{', '.join(stale)}: not as the script makes them; run `python -m server.samples.make`",
            file=sys.stderr,
        )
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
