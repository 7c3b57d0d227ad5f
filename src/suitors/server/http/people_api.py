"""The part of the API that is about the caller: their name, keys, transfers and tables."""

from fastapi import Request, Response

from ..common.addresses import LONGEST_LIST, TRANSFER
from ..common.cookies import delete_key, find_key, find_visitor, set_key
from ..domain.people import TRANSFER_S
from ..errors import conflict, missing
from . import models as m
from .api import api_router
from .dependencies import KnownCaller, TheClient, TheServer

router = api_router()


@router.post("/me", status_code=201)
async def create_person(
    given: m.Named, request: Request, response: Response, client: TheClient, server: TheServer
) -> m.Me:
    """Become a person: the key comes in a cookie."""
    person, key = await server.create_person(client, given.name)
    set_key(server, response, request, key)
    return m.Me(name=person.name)


@router.get("/me")
async def read_person(person: KnownCaller) -> m.Me:
    """Who the caller is."""
    return m.Me(name=person.name)


@router.patch("/me")
async def rename_person(given: m.Named, person: KnownCaller, server: TheServer) -> m.Me:
    """Take another name, at the tables to come."""
    return m.Me(name=(await server.people.rename(person, given.name)).name)


@router.delete("/me", status_code=204)
async def leave_device(request: Request, response: Response, person: KnownCaller, server: TheServer) -> None:
    """Forget this device: its key is void. A person whose last key is gone cannot come back to their seats."""
    del person
    await server.forget_key(find_key(server, request) or "")
    delete_key(server, response, request, known=True)


@router.post("/me/transfers", status_code=201)
async def create_transfer(person: KnownCaller, server: TheServer) -> m.Transfer:
    """A link that makes another device the caller's: it works once, for ten minutes."""
    code = await server.people.create_transfer(person)
    return m.Transfer(code=code, path=TRANSFER.format(code=code), seconds=TRANSFER_S)


@router.post("/me/arrivals", status_code=201)
async def accept_transfer(given: m.Arrival, request: Request, response: Response, server: TheServer) -> m.Me:
    """Become the person whose transfer code this is; a caller who is somebody else already has to agree to that."""
    caller, owner = await find_visitor(server, request), await server.people.find_transfer(given.code)
    if caller is not None and owner is not None and caller.id != owner.id and not given.replace:
        sentence = f"You are {caller.name} here, and would be {owner.name}: send `replace` as true if you want that."
        raise conflict("would-replace", sentence)
    found = await server.people.use_transfer(given.code)
    if found is None:
        raise missing("transfer")
    person, key = found
    set_key(server, response, request, key)
    return m.Me(name=person.name)


@router.get("/me/tables")
async def my_tables(person: KnownCaller, server: TheServer) -> m.Tables:
    """The tables where the caller sits or has sat, the last used first."""
    return m.table_list(await server.store.tables.list_of(person.id, LONGEST_LIST))
