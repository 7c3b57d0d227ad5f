"""Bans: addresses, networks and persons whom the server does not answer."""

import ipaddress
import time

from ..errors import Refused, missing
from ..storage.bans import Ban, StoredBans

PERSON = "person:"
SUBNET = 64
"""The bits of an IPv6 subnet, which is one client."""

MOST_BANS = 1000
"""Bans at once: each request is held against all of them."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def read_subject(text: str) -> str:
    """Who is meant, in the one form that is stored: a network, or `person:NUMBER`."""
    number = text.removeprefix(PERSON)
    if number != text and number.isascii() and number.isdigit() and len(number) < 16:
        return f"{PERSON}{int(number)}"
    try:
        network = ipaddress.ip_network(text.strip())
    except ValueError:
        sentence = "A ban is of an address such as 192.0.2.7, a network such as 192.0.2.0/24, or person:12."
        raise Refused(422, "bad-request", sentence) from None
    if network.version == 6 and network.prefixlen > SUBNET:
        network = network.supernet(new_prefix=SUBNET)
    return str(network)


class Bans:
    """All bans of the server."""

    def __init__(self, stored: StoredBans) -> None:
        self.stored = stored
        self._known: dict[str, Ban] = {}
        self._networks: list[Network] = []

    async def load(self) -> None:
        """Read the bans from the store."""
        self._known = {ban.subject: ban for ban in await self.stored.list()}
        self._networks = [ipaddress.ip_network(each) for each in self._known if not each.startswith(PERSON)]

    def list(self) -> list[Ban]:
        """All bans, the oldest first."""
        return list(self._known.values())

    def bans_client(self, client: str) -> bool:
        """Whether a client, an address or an IPv6 subnet, is not to be answered."""
        if not self._networks:
            return False
        try:
            network = ipaddress.ip_network(client)
        except ValueError:  # a client without an address
            return False
        return any(network.version == banned.version and network.overlaps(banned) for banned in self._networks)

    def bans_person(self, person: int | None) -> bool:
        """Whether a person is not to be answered."""
        return person is not None and f"{PERSON}{person}" in self._known

    async def add(self, subject: str, reason: str) -> Ban:
        """Ban somebody from now on."""
        if len(self._known) >= MOST_BANS and subject not in self._known:
            raise Refused(429, "too-many", f"There are {MOST_BANS} bans already: ban a network, or lift some.")
        ban = Ban(subject, int(time.time()), reason)
        await self.stored.add(ban)
        await self.load()
        return ban

    async def remove(self, subject: str) -> None:
        """Lift a ban."""
        if subject not in self._known:
            raise missing("ban")
        await self.stored.remove(subject)
        await self.load()
