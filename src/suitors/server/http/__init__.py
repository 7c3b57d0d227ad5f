"""The JSON API, and the middleware that every request and socket passes."""
