"""What is on disk, and all SQL of the server: events of tables, people and their keys, shared records."""
