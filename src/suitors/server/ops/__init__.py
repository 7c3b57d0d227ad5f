"""Running the server: limits, logs, metrics, garbage collection and the processes of the bots."""
