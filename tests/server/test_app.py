"""Documents and pages over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from server.app import create_app
from server.protocol import HttpProblem, SampleView
from server.settings import Settings
from server.store import Opened, Publish
from tests.server.running import TOKEN
from tests.server.text_bench import open_text

BASE = "http://127.0.0.1:8000"
PAGE = "<!doctype html>\n<html>\n  <head>\n    <title>Stet</title>\n  </head>\n  <body></body>\n</html>\n"


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A built pane, small."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "icons").mkdir()
    (folder / "index.html").write_text(PAGE)
    (folder / "taskpane.html").write_text(PAGE)
    (folder / "support.html").write_text(PAGE)
    (folder / "assets" / "index-abc.js").write_text("export {};")
    (folder / "icons" / "icon-32.png").write_bytes(b"\x89PNG")
    (folder / ".stamp").write_text("secret")
    (tmp_path / "outside.txt").write_text("secret")
    return folder


@pytest.fixture
def client(static: Path) -> Iterator[TestClient]:
    """A page of ours, with the token."""
    settings = Settings(token=TOKEN, static=static, upload_limit=100_000)
    with TestClient(create_app(open_text, settings), BASE, headers={"X-Stet-Token": TOKEN}) as client:
        yield client


def problem(answer: object) -> HttpProblem:
    """The body of an answer that must be a problem."""
    return HttpProblem.model_validate_json(answer.text)  # pyright: ignore[reportAttributeAccessIssue]


# -- documents ------------------------------------------------------------------------------------------


def test_a_document_is_opened_and_comes_back_under_its_name(client: TestClient) -> None:
    opened = client.post("/api/documents", params={"name": "Brief an Müller.docx"}, content=b"one")
    assert opened.status_code == 200
    assert opened.json()["document"] == {"name": "Brief an Müller.docx", "revision": 0, "blocks": 1}
    answer = client.get(f"/api/documents/{opened.json()['session']}")
    assert answer.content == b"one"
    assert answer.headers["content-disposition"] == (
        "attachment; filename=\"Brief an M_ller.docx\"; filename*=UTF-8''Brief%20an%20M%C3%BCller.docx"
    )
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-stet-revision"] == "0"
    assert answer.headers["content-type"].startswith("application/vnd.openxmlformats")


def test_a_document_is_opened_from_a_form(client: TestClient) -> None:
    opened = client.post("/api/documents", files={"file": ("Letter.docx", b"one\ntwo")})
    assert opened.status_code == 200
    assert opened.json()["document"] == {"name": "Letter.docx", "revision": 0, "blocks": 2}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd", "passwd.docx"),
        ("C:\\Users\\me\\Report.docx", "Report.docx"),
        ("/abs/olute.docm", "olute.docm"),
        ("a\r\nSet-Cookie: x=1.docx", "aSet-Cookie_ x=1.docx"),
        ('quo"te.docx', "quo_te.docx"),
        ("right\u202exodc.exe", "rightxodc.exe.docx"),
        ("..", "document.docx"),
        ("", "document.docx"),
        (".docx", "document.docx"),
        ("..docx", "document.docx"),
        (". .DOCM", "document.DOCM"),
        ("x" * 300 + ".docx", "x" * 150 + ".docx"),
        ("報告.docx", "報告.docx"),
    ],
)
def test_a_name_loses_its_path_and_whatever_could_mislead(client: TestClient, given: str, shown: str) -> None:
    opened = client.post("/api/documents", params={"name": given}, content=b"one").json()
    assert opened["document"]["name"] == shown
    disposition = client.get(f"/api/documents/{opened['session']}").headers["content-disposition"]
    assert disposition.isascii()
    assert "\n" not in disposition


def test_line_ends_and_quotation_marks_in_the_name_of_a_form_s_file_are_cleaned_away(
    client: TestClient,
) -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a%0D%0A%22b%22 100%25.docx"\r\n\r\n'
        b"one\r\n--x--\r\n"
    )
    opened = client.post(
        "/api/documents", content=body, headers={"Content-Type": "multipart/form-data; boundary=x"}
    )
    assert opened.json()["document"]["name"] == "a_b_ 100%25.docx"


def test_a_body_over_the_limit_is_refused_with_413(client: TestClient) -> None:
    answer = client.post("/api/documents", content=b"x" * 100_001)
    assert answer.status_code == 413
    assert problem(answer).code == "DOCUMENT_TOO_LARGE"


def test_a_body_that_does_not_say_its_size_is_cut_off_at_the_limit(client: TestClient) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 50_000_000:
            sent += 50_000
            yield b"x" * 50_000

    answer = client.post("/api/documents", content=endless())
    assert answer.status_code == 413


def test_a_form_over_the_limit_is_refused_with_413(client: TestClient) -> None:
    answer = client.post("/api/documents", files={"file": ("a.docx", b"x" * 400_000)})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("content", "headers"),
    [
        (b"", {}),
        (b"bad file", {}),
        (b"--b\r\n\r\n", {"content-type": "multipart/form-data; boundary=b"}),
        (b"nothing", {"content-type": "multipart/form-data"}),
        (
            b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\ntext\r\n--b--\r\n',
            {"content-type": "multipart/form-data; boundary=b"},
        ),
    ],
)
def test_what_is_no_document_is_refused_in_a_sentence(
    client: TestClient, content: bytes, headers: dict[str, str]
) -> None:
    answer = client.post("/api/documents", content=content, headers=headers)
    assert answer.status_code == 422
    assert problem(answer).message.endswith(".")


def test_an_unknown_session_is_404_with_a_problem(client: TestClient) -> None:
    for path in ("/api/documents/nowhere", "/api/documents/nowhere/blocks"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert problem(answer).code == "SESSION_UNKNOWN"
    assert client.post("/api/documents/nowhere/reading", content=b"x").status_code == 404
    assert client.delete("/api/documents/nowhere").status_code == 404


@pytest.mark.parametrize("path", ["/api/nothing", "/api/documents", "/no.js", "/docs", "/openapi.json"])
def test_what_is_not_there_is_said_with_a_problem(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in {404, 405}
    assert problem(answer).message


def test_an_unexpected_failure_is_a_problem_without_details(static: Path) -> None:
    async def broken(data: bytes, name: str, publish: Publish) -> Opened:
        raise ZeroDivisionError("secret")

    app = create_app(broken, Settings(token=TOKEN, static=static))
    with TestClient(app, BASE, headers={"X-Stet-Token": TOKEN}, raise_server_exceptions=False) as client:
        answer = client.post("/api/documents", content=b"x")
    assert answer.status_code == 500
    assert problem(answer).code == "INTERNAL"
    assert "secret" not in answer.text


def test_the_samples_are_listed_and_open_as_documents(client: TestClient) -> None:
    listed = [SampleView.model_validate(sample) for sample in client.get("/api/samples").json()]
    assert [sample.id for sample in listed] == ["quarterly-report", "service-agreement"]
    answer = client.post("/api/samples/nothing")
    assert answer.status_code == 404
    assert "quarterly-report" in problem(answer).message


# -- who may call ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", [None, "", "guess", "gu\u00e9ss"])
@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/api/documents"), ("DELETE", "/api/documents/x"), ("PUT", "/api/samples")]
)
def test_nothing_changes_without_the_token(
    client: TestClient, method: str, path: str, token: str | None
) -> None:
    headers = [(b"X-Stet-Token", token.encode())] if token is not None else []
    client.headers.pop("X-Stet-Token")
    answer = client.request(method, path, headers=headers)
    assert answer.status_code == 403
    assert problem(answer).code == "TOKEN_NOT_VALID"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://127.0.0.1:9000",
        "http://localhost:8000",
        "http://127.0.0.1:8000.evil.example",
        "null",
        "http://[",
        "http://[::1",
        "file://127.0.0.1:8000",
    ],
)
def test_a_foreign_page_is_refused_even_with_the_token(client: TestClient, origin: str) -> None:
    answer = client.post("/api/documents", content=b"one", headers={"Origin": origin})
    assert answer.status_code == 403
    assert problem(answer).code == "ORIGIN_NOT_ALLOWED"


def test_our_own_pages_and_the_configured_ones_may_call(static: Path) -> None:
    settings = Settings(token=TOKEN, static=static, allowed_origins=("http://127.0.0.1:5173",))
    with TestClient(create_app(open_text, settings), BASE, headers={"X-Stet-Token": TOKEN}) as client:
        for origin in (BASE, "http://127.0.0.1:5173"):
            answer = client.post("/api/documents", content=b"one", headers={"Origin": origin})
            assert answer.status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "localhost.evil.example", "", "127.0.0.1@evil.example", "a b"],
)
def test_a_name_that_was_rebound_to_this_machine_is_refused(client: TestClient, host: str) -> None:
    for path in ("/", "/api/samples"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 403
        assert problem(answer).code == "HOST_NOT_ALLOWED"


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8443", "127.0.0.1:1", "[::1]:8000", "192.168.1.7:8000"]
)
def test_localhost_and_addresses_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/api/samples", headers={"Host": host}).status_code == 200


def test_a_configured_name_is_answered(static: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STET_ALLOWED_HOSTS", "stet.example, other.example")
    with TestClient(
        create_app(open_text, Settings(token=TOKEN, static=static)), "http://stet.example"
    ) as client:
        assert client.get("/api/samples").status_code == 200


# -- pages ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/index.html", "/taskpane.html"])
def test_a_page_has_the_token_and_is_never_cached(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert f'<meta name="stet-token" content="{TOKEN}" />' in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_playground_runs_our_scripts_only_and_is_framed_by_nobody(client: TestClient) -> None:
    policy = _policy(client.get("/").headers["content-security-policy"])
    assert policy["default-src"] == "'self'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self' 'unsafe-inline'"
    assert policy["img-src"] == "'self' data: blob:"
    assert policy["object-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert "microsoft" not in str(policy)


def test_the_task_pane_may_load_office_js_and_be_framed_by_word(client: TestClient) -> None:
    policy = _policy(client.get("/taskpane.html").headers["content-security-policy"])
    assert policy["script-src"] == "'self' https://appsforoffice.microsoft.com"
    assert "https://*.officeapps.live.com" in policy["frame-ancestors"]
    assert "unsafe-eval" not in str(policy)
    assert "'unsafe-inline'" not in policy["script-src"]


def _policy(header: str) -> dict[str, str]:
    parts = (directive.partition(" ") for directive in header.split("; "))
    return {name: sources for name, _, sources in parts}


def test_icons_have_no_cache_control_and_hashed_files_a_long_one(client: TestClient) -> None:
    icon = client.get("/icons/icon-32.png")
    assert icon.headers["content-type"] == "image/png"
    assert "cache-control" not in icon.headers
    script = client.get("/assets/index-abc.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    other = client.get("/support.html")
    assert other.headers["cache-control"] == "no-store"
    assert "script-src 'self';" in other.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.txt",
        "/%2e%2e/outside.txt",
        "/assets/..%2f..%2foutside.txt",
        "/..%5coutside.txt",
        "/.stamp",
        "/a%00b",
        "/" + "a" * 5000,
        "/" + "a/" * 3000,
    ],
)
def test_nothing_outside_the_built_pane_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text


def test_a_pane_that_is_not_built_says_so(tmp_path: Path) -> None:
    with TestClient(create_app(open_text, Settings(token=TOKEN, static=tmp_path)), BASE) as client:
        answer = client.get("/")
    assert answer.status_code == 503
    assert "not built" in answer.text
    assert TOKEN not in answer.text


def test_the_token_does_not_show_in_the_settings_text() -> None:
    assert "hush" not in repr(Settings(token="hush"))


def test_two_runs_have_different_tokens() -> None:
    assert Settings().token != Settings().token
