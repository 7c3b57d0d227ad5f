"""What keeps the server running: limits, connections, logs, metrics, background tasks, garbage, bots' processes."""
