"""What keeps the server running: limits, connections, logs, metrics, tasks, garbage, bots' processes, warnings."""
