"""Certificates for the pane: they serve localhost, speak for nothing else, and are renewed in time."""

from __future__ import annotations

import contextlib
import socket
import ssl
import stat
import subprocess
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from server.tls import RENEW_BEFORE, ensure_certificates, make_authority, sign
from server.word import ORIGIN, manifest_for, sideload_steps, trust_steps
from tools.check_manifest import faults

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def handshake(server: ssl.SSLContext, authority: Path, hostname: str) -> None:
    """A TLS handshake over a socket pair, the client trusting `authority` alone; raises what the client
    says.
    """
    client = ssl.create_default_context(cafile=str(authority))
    ours, theirs = socket.socketpair()

    def serve() -> None:
        with theirs, contextlib.suppress(OSError):  # the client refused; it says why
            server.wrap_socket(theirs, server_side=True).close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with ours:
            client.wrap_socket(ours, server_hostname=hostname).close()
    finally:
        thread.join()


def context(certificate: Path, key: Path) -> ssl.SSLContext:
    """A server's side of TLS."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(certificate, key)
    return made


@pytest.mark.parametrize("hostname", ["localhost", "127.0.0.1", "::1"])
def test_a_client_that_trusts_the_authority_accepts_this_machine(tmp_path: Path, hostname: str) -> None:
    certificates = ensure_certificates(tmp_path)
    handshake(context(certificates.certificate, certificates.key), certificates.authority, hostname)


def test_a_client_refuses_another_name_on_the_certificate(tmp_path: Path) -> None:
    certificates = ensure_certificates(tmp_path)
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        handshake(context(certificates.certificate, certificates.key), certificates.authority, "example.org")


def test_what_the_authority_would_sign_for_another_name_is_refused(tmp_path: Path) -> None:
    authority_key, authority = make_authority(datetime.now(UTC))
    key = ec.generate_private_key(ec.SECP256R1())
    names = (x509.DNSName("example.org"),)
    leaf = sign(authority_key, authority, key.public_key(), names, datetime.now(UTC))
    pem = serialization.Encoding.PEM
    (tmp_path / "ca.pem").write_bytes(authority.public_bytes(pem))
    (tmp_path / "leaf.pem").write_bytes(leaf.public_bytes(pem))
    plain = serialization.NoEncryption()
    (tmp_path / "key.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        handshake(context(tmp_path / "leaf.pem", tmp_path / "key.pem"), tmp_path / "ca.pem", "example.org")


def test_no_file_holds_the_key_of_the_authority(tmp_path: Path) -> None:
    certificates = ensure_certificates(tmp_path)
    authority = x509.load_pem_x509_certificate(certificates.authority.read_bytes())
    holders = [path for path in tmp_path.iterdir() if b"PRIVATE KEY" in path.read_bytes()]
    assert holders == [certificates.key]
    key = serialization.load_pem_private_key(certificates.key.read_bytes(), password=None)
    assert key.public_key() != authority.public_key()


def test_the_key_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    assert stat.S_IMODE(ensure_certificates(tmp_path).key.stat().st_mode) == 0o600


def test_certificates_stay_until_thirty_days_before_their_end(tmp_path: Path) -> None:
    first = ensure_certificates(tmp_path, NOW)
    assert first.made
    assert first.expires - NOW == timedelta(days=397)
    kept = ensure_certificates(tmp_path, first.expires - RENEW_BEFORE - timedelta(minutes=1))
    assert (kept.made, kept.fingerprint) == (False, first.fingerprint)
    renewed = ensure_certificates(tmp_path, first.expires - RENEW_BEFORE + timedelta(minutes=1))
    assert renewed.made
    assert renewed.fingerprint != first.fingerprint


@pytest.mark.parametrize("name", ["ca.pem", "localhost.pem", "localhost-key.pem"])
def test_certificates_that_do_not_fit_together_are_made_anew(tmp_path: Path, name: str) -> None:
    for damage in ("missing", "other", "garbage"):
        first = ensure_certificates(tmp_path / damage, NOW)
        path = tmp_path / damage / name
        if damage == "missing":
            path.unlink()
        elif damage == "other":
            ensure_certificates(tmp_path / "another", NOW)
            path.write_bytes((tmp_path / "another" / name).read_bytes())
        else:
            path.write_bytes(b"not a certificate")
        again = ensure_certificates(tmp_path / damage, NOW)
        assert again.made
        assert again.fingerprint != first.fingerprint


def test_git_tracks_no_private_key() -> None:
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        pytest.skip("not a git checkout")
    # The needle is put together here so that this file is not a find itself.
    needle = "-----BEGIN (EC |RSA |)" + "PRIVATE KEY"
    found = subprocess.run(
        ["git", "grep", "-lE", "-e", needle], cwd=root, capture_output=True, text=True, check=False
    )
    assert found.stdout == ""


@pytest.mark.parametrize(
    ("platform", "give", "take"),
    [
        ("win32", "certutil -user -addstore Root", "certutil -user -delstore Root"),
        ("darwin", "security add-trusted-cert", "security delete-certificate -Z"),
    ],
)
def test_trust_is_explained_both_ways(tmp_path: Path, platform: str, give: str, take: str) -> None:
    certificates = ensure_certificates(tmp_path)
    text = "\n".join(trust_steps(certificates, platform))
    assert f"{give} " in text
    assert str(certificates.authority) in text
    assert f"{take} {certificates.fingerprint}" in text


def test_the_manifest_names_the_port_that_the_pane_is_served_at(tmp_path: Path) -> None:
    usual = manifest_for(ORIGIN, tmp_path)
    assert usual is not None
    assert f'"{ORIGIN}/taskpane.html"' in usual.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == []
    made = manifest_for("https://localhost:9443", tmp_path)
    assert made == tmp_path / "manifest.xml"
    assert faults(made.read_text(encoding="utf-8"), release=False) == []
    assert ORIGIN not in made.read_text(encoding="utf-8")


def test_sideloading_names_the_manifest_on_each_platform(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.xml"
    assert str(manifest) in "\n".join(sideload_steps(manifest, "darwin"))
    assert str(tmp_path) in "\n".join(sideload_steps(manifest, "win32"))
