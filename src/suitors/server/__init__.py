"""Tables for people and programs over HTTP and WebSocket.

store, schema    what is on disk: an append-only list of events a table, and who the people are
tables           one table as the fold of its events, and who may do what at it
hall             the tables in memory: one writer each, those who watch them, the bots and deals that are due
thinkers         the bots, in processes of their own
people           persons, their keys and transfer links
faces            what leaves the process, made from views
gate, limits     who is let in: hosts, origins, sizes, rates, headers
api, live        the JSON over HTTP and over sockets; models and refusals are its words
front            the pages for people
house, app       all of it put together
serve, garbage   the process that runs it
"""
