"""How friends find the way to a table: its link, also as a QR code, and whether it can be reached from elsewhere."""

import ipaddress
import socket
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

import segno
from markupsafe import Markup


@dataclass(frozen=True)
class Invitation:
    """The invitation to a table; `everywhere` says that the server listens on the whole network."""

    link: str
    everywhere: bool

    @property
    def local(self) -> bool:
        """Whether the link works on this computer only."""
        return loopback(urlsplit(self.link).hostname or "") and not self.everywhere

    @cached_property
    def address(self) -> str:
        """The link as others can use it."""
        parts = urlsplit(self.link)
        if not self.everywhere or not loopback(parts.hostname or ""):
            return self.link
        port = f":{parts.port}" if parts.port else ""
        return parts._replace(netloc=f"{network_address()}{port}").geturl()

    @property
    def code(self) -> Markup:
        """The link as a QR code, an SVG."""
        made = segno.make(self.address, error="m")
        return Markup(made.svg_inline(scale=4, border=2, svgclass="qr", lineclass=None, omitsize=True))


def loopback(host: str) -> bool:
    """Whether a host is this computer itself."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def network_address() -> str:
    """This computer's address on its network. Nothing is sent: the system only picks the way it would take."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
