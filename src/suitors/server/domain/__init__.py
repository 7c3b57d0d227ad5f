"""What happens at tables, whoever asks for it and however: no request, page or socket is known here.

table          a table as the fold of its events
commands       what a person can do at a table, and the events that follow
given          what JSON may say of commands and new tables
opening        the events that a table begins with
names          names that people give, and how they are told apart
people         persons, their keys and transfer codes
loaded         a table in memory, with its subscribers
subscribers    the queue of messages of each subscriber
automation     bots' moves and deals, which the server makes by itself
registry       all tables in memory, and the one way in which they change
presence       who is connected, and what other processes are told of it
peers          what other processes tell of tables
serializers    what leaves the process as JSON, made from views
replay         a finished match played again, step by step
analyses       analyses of finished matches, judged decision by decision and kept; hints
"""
