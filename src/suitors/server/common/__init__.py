"""What pages, API and sockets share: types of ASGI, addresses, cookies, and the page of a table."""
