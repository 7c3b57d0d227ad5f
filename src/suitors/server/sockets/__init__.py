"""WebSockets: one a table for programs, one a table for pages."""
