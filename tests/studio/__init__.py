"""The studio's server."""
