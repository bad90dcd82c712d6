"""The built pane as static files. Pages get this run's token and their policy; nothing else is changed on the
way.
"""

from __future__ import annotations

import html
import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from server.security import content_security_policy
from server.settings import Settings

PAGES = ("index.html", "taskpane.html")
TOKEN_META = "stet-token"

# Debian's and Windows' own tables differ on some of these; the pane does not work with a wrong type.
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".html": "text/html",
    ".xml": "text/xml",
}

_NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Stet</title>
<h1>The pane is not built</h1><p>Run <code>make run</code>, or <code>npm ci &amp;&amp; npm run build</code> in
<code>taskpane/</code>, then load this page again.</p></html>"""


def is_built(static: Path) -> bool:
    """Whether the pane has been built."""
    return all((static / page).is_file() for page in PAGES)


def page_response(request: Request, page: str, settings: Settings) -> Response:
    """One of the two pages, with the token in `<meta name="stet-token">`. Never cached: the token is new each
    run.
    """
    try:
        text = (settings.static / page).read_text(encoding="utf-8")
        status = 200
    except FileNotFoundError:
        text, status = _NOT_BUILT, 503
    meta = f'<meta name="{TOKEN_META}" content="{html.escape(settings.token)}" />'
    head = text.find("<head>")
    if status == 200 and head >= 0:
        at = head + len("<head>")
        text = f"{text[:at]}\n    {meta}{text[at:]}"
    response = HTMLResponse(text, status_code=status)
    response.headers["cache-control"] = "no-store"
    response.headers["content-security-policy"] = content_security_policy(page, request.headers["host"])
    return response


def file_response(request: Request, path: str, settings: Settings) -> Response | None:
    """A file of the built pane; None if there is none of that name, or if it lies outside."""
    if "\0" in path or "\\" in path:
        return None
    root = settings.static.resolve()
    hidden = any(part.startswith(".") for part in Path(path).parts)
    try:
        file = (root / path).resolve()
        if hidden or not file.is_relative_to(root) or not file.is_file():
            return None
    except OSError:  # a name that is longer than the file system's
        return None
    kind = _TYPES.get(file.suffix.lower()) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    response = FileResponse(file, media_type=kind)
    if path.startswith("assets/"):
        # Vite puts a hash of the content into these names.
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
    elif file.suffix == ".html":
        response.headers["cache-control"] = "no-store"
        response.headers["content-security-policy"] = content_security_policy(path, request.headers["host"])
    # Icons have no Cache-Control at all: Office shows a default picture where they have one.
    return response
