"""Stet's server: sessions over a WebSocket, documents over HTTP, the pane as static files."""
