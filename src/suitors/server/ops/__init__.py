"""What keeps the server running: limits, connections, proxies, logs, metrics, tasks, garbage, processes, warnings."""
