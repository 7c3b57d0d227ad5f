"""A bot of this machine at a table of another: `connection` is the client of the API, `player` plays the match."""
