"""Studies of the game: many compiled rounds, and what they say about it.

names: the questions and bots that there are; rounds: rounds played in groups on the same deals; answers: figures with
their intervals; questions: what is counted; study: all of it for one table; plot: answers as a picture; rows: rounds
as rows of a Parquet file. All but the names need numpy (extra `fast`).
"""
