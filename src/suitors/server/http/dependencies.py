"""What the endpoints of the API ask FastAPI for: the server, the caller, and the table of the path."""

from typing import Annotated

from fastapi import Depends, Query, Request

from ..common.addresses import API
from ..common.cookies import find_caller
from ..domain.loaded import LoadedTable
from ..domain.people import Person
from ..errors import Refused
from ..ops.limits import account_of
from ..server import Server


async def server_of(request: Request) -> Server:
    """The server that the request came to."""
    server: Server = request.app.state.server
    return server


async def client_address(request: Request) -> str:
    """Whom the request is counted for."""
    return account_of(request.scope)


async def caller_of(request: Request, server: Annotated[Server, Depends(server_of)]) -> Person | None:
    """The caller, if they have a key."""
    return await find_caller(server, request)


async def known_caller(person: Annotated[Person | None, Depends(caller_of)]) -> Person:
    """The caller, who must have a key."""
    if person is None:
        raise Refused(401, "who-are-you", f"First say who you are: POST {API}/me.")
    return person


async def table_of(
    table_id: str,
    server: Annotated[Server, Depends(server_of)],
    person: Annotated[Person | None, Depends(caller_of)],
) -> LoadedTable:
    """The table of the path, if the caller may see it."""
    return await server.visit_table(table_id, person)


TheClient = Annotated[str, Depends(client_address)]
TheServer = Annotated[Server, Depends(server_of)]
AnyCaller = Annotated[Person | None, Depends(caller_of)]
KnownCaller = Annotated[Person, Depends(known_caller)]
TheTable = Annotated[LoadedTable, Depends(table_of)]
SeatText = Annotated[str, Query(pattern="^(none|[0-7])$", description="A seat of the caller, or `none`: a spectator.")]
StateQuery = Annotated[int, Query()]
