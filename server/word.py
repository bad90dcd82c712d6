"""What a person has to do once so that Word loads the pane from this machine: trust, and sideloading."""

from __future__ import annotations

import sys
from pathlib import Path

from server.tls import Certificates

ORIGIN = "https://localhost:8443"
"""Where `stet word` serves the pane unless it is told otherwise; what the manifest names."""
MANIFESTS = (Path(__file__).parent.parent / "manifest.xml", Path(__file__).parent / "manifest.xml")
"""In a checkout, and in an installed package."""


def manifest_path() -> Path | None:
    """The development manifest, wherever this copy of Stet keeps it."""
    return next((path for path in MANIFESTS if path.is_file()), None)


def manifest_for(origin: str, directory: Path) -> Path | None:
    """The manifest for a pane served at `origin`; for another than the usual one it is written to `directory`."""
    usual = manifest_path()
    if usual is None or origin == ORIGIN:
        return usual
    made = directory / "manifest.xml"
    made.write_text(usual.read_text(encoding="utf-8").replace(ORIGIN, origin), encoding="utf-8")
    return made


def trust_steps(certificates: Certificates, platform: str = sys.platform) -> list[str]:
    """How to trust the certificate, and how to take that trust away; `platform` as in `sys.platform`."""
    authority = certificates.authority
    if platform == "win32":
        give = f'certutil -user -addstore Root "{authority}"'
        take = f"certutil -user -delstore Root {certificates.fingerprint}"
        answer = "and answer Yes"
    elif platform == "darwin":
        give = (
            f'security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db "{authority}"'
        )
        take = (
            f'security remove-trusted-cert "{authority}"'
            f" && security delete-certificate -Z {certificates.fingerprint}"
        )
        answer = "and give your password"
    else:
        return [
            "Word itself runs on Windows and macOS: run `stet word` on the machine where Word is.",
            f"For Word on the web in a browser on this machine, let that browser trust {authority}.",
        ]
    lines = [
        f"Trust the certificate once ({answer}):",
        f"    {give}",
        "Take that trust away again:",
        f"    {take}",
        f"It ends on {certificates.expires:%Y-%m-%d}; 30 days before, a new one is made to be trusted.",
    ]
    return ["This certificate is new.", *lines] if certificates.made else lines


def sideload_steps(manifest: Path | None, platform: str = sys.platform) -> list[str]:
    """How to show Word the add-in."""
    if manifest is None:
        return ["manifest.xml is missing from this copy of Stet."]
    if platform == "darwin":
        folder = "~/Library/Containers/com.microsoft.Word/Data/Documents/wef"
        how = [f"    mkdir -p {folder} && cp {manifest} {folder}/", "then restart Word: Home, Add-ins, Stet."]
    elif platform == "win32":
        how = [
            f"    share the folder {manifest.parent} (its properties, Sharing),",
            "    in Word: File, Options, Trust Center, Trust Center Settings, Trusted Add-in Catalogs,",
            "    add the share's address, tick Show in Menu,",
            "then restart Word: Home, Add-ins, Shared Folder, Stet.",
        ]
    else:
        how = [f"    on Word's machine: {manifest}"]
    web = "Word on the web: Home, Add-ins, More Add-ins, Upload My Add-in, and choose the same file."
    return ["Show Word the add-in once:", *how, web]


def print_word_steps(certificates: Certificates, origin: str = ORIGIN, platform: str = sys.platform) -> None:
    """Print both, for `stet word` at `origin`."""
    manifest = manifest_for(origin, certificates.authority.parent)
    for line in [*trust_steps(certificates, platform), "", *sideload_steps(manifest, platform)]:
        print(line)
