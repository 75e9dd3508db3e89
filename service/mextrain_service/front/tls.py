"""Encryption at both ends of a front: of its port, and of its way to workers elsewhere.

Envoy reads the files again when others are put in their place, by renaming, as Kubernetes does.
"""

from __future__ import annotations

import json
import ssl
from typing import TYPE_CHECKING, Any, Final

from mextrain_service.settings.loading import SettingsError
from mextrain_service.settings.model import variable

if TYPE_CHECKING:
    from pathlib import Path

    from mextrain_service.settings.model import FrontSettings, ServerSettings

_TLS: Final = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3"


def require_sound(server: ServerSettings, front: FrontSettings) -> None:
    """Raise unless the files can be used; Envoy would serve nobody, and say nothing of it.

    Raises:
        SettingsError: one cannot be read, is no PEM, or the key is that of another certificate.
    """
    own, above = server.tls_cert_file, (server.tls_client_ca_file, front.workers_ca_file)
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if own is not None:
            context.load_cert_chain(own, server.tls_key_file)
        for authorities in filter(None, above):
            context.load_verify_locations(authorities)
    except OSError as error:
        name = variable("server", "tls_cert_file")
        problem = f"{name}, or a file beside it, cannot be used: {error}"
        raise SettingsError((problem,)) from error


def clients_socket(
    server: ServerSettings, front: FrontSettings, folder: Path
) -> dict[str, Any] | None:
    """Return how the front's port is encrypted, for Envoy; None for cleartext.

    Args:
        server: has the files.
        front: may ask for cleartext in spite of them.
        folder: where Envoy is to find which files these are.
    """
    if server.tls_cert_file is None or front.cleartext:
        return None
    common = {"alpn_protocols": ["h2", "http/1.1"], **_own(server, folder)}
    if server.tls_client_ca_file is not None:
        common |= _trusted("clients", server.tls_client_ca_file, folder)
    demands = {"require_client_certificate": server.tls_client_ca_file is not None}
    return _socket("DownstreamTlsContext", common, demands)


def workers_socket(
    server: ServerSettings, front: FrontSettings, host: str, folder: Path
) -> dict[str, Any] | None:
    """Return how the way to the workers is encrypted, for Envoy; None for cleartext.

    The front shows its own certificate, if it has one.

    Args:
        server: has the front's own files.
        front: has what signs the workers' certificates.
        host: the name of the workers, which their certificates must have.
        folder: where Envoy is to find which files these are.
    """
    if front.workers_ca_file is None:
        return None
    name = {"san_type": "DNS", "matcher": {"exact": host}}
    common = {"alpn_protocols": ["h2"]}
    common |= _trusted(
        "workers", front.workers_ca_file, folder, match_typed_subject_alt_names=[name]
    )
    if server.tls_cert_file is not None:
        common |= _own(server, folder)
    return _socket("UpstreamTlsContext", common, {"sni": host})


def _socket(kind: str, common: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    common["tls_params"] = {"tls_minimum_protocol_version": "TLSv1_2"}
    return {
        "name": "envoy.transport_sockets.tls",
        "typed_config": {"@type": f"{_TLS}.{kind}", "common_tls_context": common, **more},
    }


def _own(server: ServerSettings, folder: Path) -> dict[str, Any]:
    certificate, key = server.tls_cert_file, server.tls_key_file
    assert certificate is not None, "only asked for with a certificate"
    assert key is not None, "the settings demand it with a certificate"
    files = {"certificate_chain": _file(certificate), "private_key": _file(key)}
    secret = _secret("own", {"tls_certificate": files | _watched(certificate)}, folder)
    return {"tls_certificate_sds_secret_configs": [secret]}


def _trusted(name: str, authorities: Path, folder: Path, **more: Any) -> dict[str, Any]:
    files = {"trusted_ca": _file(authorities), **_watched(authorities), **more}
    secret = _secret(name, {"validation_context": files}, folder)
    return {"validation_context_sds_secret_config": secret}


def _secret(name: str, content: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Write which files a secret is in, and return where that is written."""
    path = folder / f"{name}.json"
    secret = {"@type": f"{_TLS}.Secret", "name": name, **content}
    path.write_text(json.dumps({"resources": [secret]}), encoding="utf-8")
    return {"name": name, "sds_config": {"path_config_source": {"path": str(path)}}}


def _file(path: Path) -> dict[str, str]:
    return {"filename": str(path.absolute())}


def _watched(path: Path) -> dict[str, Any]:
    return {"watched_directory": {"path": str(path.absolute().parent)}}
