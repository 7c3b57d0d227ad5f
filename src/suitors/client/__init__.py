"""A bot of this machine at a table of another: `connection` speaks to the server, `player` plays the match."""
