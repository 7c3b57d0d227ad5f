"""What is on disk: SQLite in a data folder. SQL is written here and nowhere else."""
