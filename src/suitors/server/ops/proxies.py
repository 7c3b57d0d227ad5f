"""Proxies in front of the server: which of them are believed, and for whom they say that they ask."""

import ipaddress
from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

SCHEMES = {"http": {"http": "http", "https": "https"}, "websocket": {"http": "ws", "https": "wss"}}
"""The scheme of a scope by its type and by what a proxy calls it."""


class BadProxy(Exception):
    """What is wrong with the address of a proxy."""


def read_proxy(text: str) -> Network:
    """The address of a proxy, or of a network of them."""
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        sentence = "takes an address such as 127.0.0.1 or a network such as 10.0.0.0/8"
        raise BadProxy(f"--trust-proxy {sentence}, not '{text:.60}'.") from None


def read_address(text: str) -> Address | None:
    """An address on the network, also with a port behind it; an IPv4 address in IPv6's form is the IPv4 one."""
    host = text.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class TrustedProxies:
    """The proxies that are believed, by their addresses. Whoever else sends their headers is not."""

    def __init__(self, networks: Iterable[Network] = ()) -> None:
        self.networks = tuple(networks)

    def trusts(self, address: Address | None) -> bool:
        """Whether this is the address of a proxy that is believed."""
        return address is not None and any(address in network for network in self.networks)

    def is_proxy(self, scope: Mapping[str, Any]) -> bool:
        """Whether an ASGI scope comes straight from such a proxy."""
        return bool(self.networks) and self.trusts(_peer(scope))

    def apply(self, scope: MutableMapping[str, Any]) -> None:
        """Put the client and the scheme that a trusted proxy names into an ASGI scope."""
        if not self.is_proxy(scope):
            return
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, []).extend(value.decode("latin-1").split(","))
        client = self._client(_peer(scope), headers.get(b"x-forwarded-for", []))
        scope["client"] = (str(client), 0)
        scheme = headers.get(b"x-forwarded-proto", [""])[-1].strip()
        scope["scheme"] = SCHEMES[scope["type"]].get(scheme, scope["scheme"])

    def _client(self, address: Address | None, named: list[str]) -> Address | None:
        """The client, from the right: each proxy adds whom it was asked by, and only trusted ones are believed."""
        for text in reversed(named):
            asked_by = read_address(text)
            if asked_by is None or not self.trusts(address):
                break
            address = asked_by
        return address


def _peer(scope: Mapping[str, Any]) -> Address | None:
    """The address at the other end of the connection."""
    return read_address(str((scope.get("client") or ("",))[0]))
