"""Tables for people and programs over HTTP and WebSocket.

store     what is on disk: an append-only list of events a table, and who the people are
tables    one table as the fold of its events, and the rules of the house: who may sit, start, move, hand over
hall      the tables in memory: one writer each, those who watch them, the bots and deals that are due
thinkers  the bots, in processes of their own
people    persons, their keys and transfer links
faces     what leaves the process, made from views
gate      who is let in: hosts, origins, sizes, rates, headers
api, live the JSON over HTTP and over sockets
app       all of it put together
"""
