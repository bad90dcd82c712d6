"""Certificates for Word's pane: Word loads a pane only over https, also from this machine.

`ensure_certificates` makes a certificate authority whose name constraints (RFC 5280, 4.2.1.10) allow it
`localhost` and this machine's loopback addresses only, signs one certificate with it, and forgets its key: a
stolen file can sign nothing else, and nothing can be signed later. Renewal therefore makes a new authority,
which must be trusted anew.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFETIME = timedelta(days=397)
"""Longest life that Apple's systems accept (398 days), less one for clocks that differ."""
RENEW_BEFORE = timedelta(days=30)
AUTHORITY_NAME = "Stet, for localhost only"
NAMES: tuple[x509.GeneralName, ...] = (
    x509.DNSName("localhost"),
    x509.IPAddress(IPv4Address("127.0.0.1")),
    x509.IPAddress(IPv6Address("::1")),
)
ALLOWED: tuple[x509.GeneralName, ...] = (
    x509.DNSName("localhost"),
    x509.IPAddress(IPv4Network("127.0.0.0/8")),
    x509.IPAddress(IPv6Network("::1/128")),
)


@dataclass(frozen=True)
class Certificates:
    """The files that the server needs for https, and what the user must know about them."""

    authority: Path
    """`ca.pem`: what the machine has to trust."""
    certificate: Path
    """`localhost.pem`: what the server shows; its authority is appended."""
    key: Path
    """`localhost-key.pem`: the server's private key, readable by its owner only."""
    expires: datetime
    """UTC."""
    fingerprint: str
    """SHA-1 of the authority, upper-case hex: the name that Windows and macOS know it by."""
    made: bool
    """True: they are new, and trust has to be given (again)."""


def ensure_certificates(directory: Path, now: datetime | None = None) -> Certificates:
    """The certificates in `directory`, made or renewed if they are missing, do not fit together or end in 30
    days.
    """
    now = now or datetime.now(UTC)
    return read_certificates(directory, now) or make_certificates(directory, now)


def read_certificates(directory: Path, now: datetime) -> Certificates | None:
    """The certificates in `directory` if they can be used for another 30 days."""
    authority, certificate, key = _paths(directory)
    try:
        issuer = x509.load_pem_x509_certificate(authority.read_bytes())
        leaf = x509.load_pem_x509_certificate(certificate.read_bytes())
        private = serialization.load_pem_private_key(key.read_bytes(), password=None)
        leaf.verify_directly_issued_by(issuer)
    except (OSError, ValueError, TypeError, InvalidSignature):
        return None
    if private.public_key() != leaf.public_key() or now + RENEW_BEFORE > leaf.not_valid_after_utc:
        return None
    return _certificates(directory, issuer, made=False)


def make_certificates(directory: Path, now: datetime) -> Certificates:
    """Make new ones in `directory`. The authority's key lives as long as this call."""
    directory.mkdir(parents=True, exist_ok=True)
    authority_key, authority = make_authority(now)
    leaf_key = ec.generate_private_key(ec.SECP256R1())
    leaf = sign(authority_key, authority, leaf_key.public_key(), NAMES, now)
    paths = _paths(directory)
    pem = serialization.Encoding.PEM
    _write(paths[0], authority.public_bytes(pem), 0o644)
    _write(paths[1], leaf.public_bytes(pem) + authority.public_bytes(pem), 0o644)
    _write(
        paths[2],
        leaf_key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
        0o600,
    )
    return _certificates(directory, authority, made=True)


def make_authority(now: datetime) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    """A self-signed authority that can vouch for `ALLOWED` and for no further authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, AUTHORITY_NAME)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + LIFETIME)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(list(ALLOWED), None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return key, builder.sign(key, hashes.SHA256())


def sign(
    authority_key: ec.EllipticCurvePrivateKey,
    authority: x509.Certificate,
    public_key: ec.EllipticCurvePublicKey,
    names: tuple[x509.GeneralName, ...],
    now: datetime,
) -> x509.Certificate:
    """A server's certificate for `names`."""
    issuer_id = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")]))
        .issuer_name(authority.subject)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + LIFETIME)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer_id), critical=False
        )
    )
    return builder.sign(authority_key, hashes.SHA256())


def _key_usage(signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _paths(directory: Path) -> tuple[Path, Path, Path]:
    return directory / "ca.pem", directory / "localhost.pem", directory / "localhost-key.pem"


def _certificates(directory: Path, authority: x509.Certificate, made: bool) -> Certificates:
    fingerprint = (
        authority.fingerprint(hashes.SHA1()).hex().upper()
    )  # the systems' own name for it, no security
    return Certificates(*_paths(directory), authority.not_valid_after_utc, fingerprint, made)


def _write(path: Path, data: bytes, mode: int) -> None:
    """Write a file that has `mode` before its first byte is in it."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
