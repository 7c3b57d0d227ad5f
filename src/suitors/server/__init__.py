"""Tables for people and programs over HTTP and WebSocket; each room imports only from those below it.

process     the process: a socket that listens, and uvicorn
app         the application: pages, API and sockets put together
web         pages for people, and the forms on them
http        the JSON API, and the middleware around everything
sockets     WebSockets: one a table for programs, one a table for pages
common      what these three share: addresses, cookies, the page of a table
server      one running server: its store, people, tables and bots
domain      what happens at tables: folds of events, and the commands that lead to events
storage     what is on disk, and all SQL
ops         limits, connections, logs, metrics, background tasks, bots' processes
errors      what is refused, with a status, a code and a sentence
"""
