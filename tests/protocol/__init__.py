"""Views as JSON, outside bots, the engine for app developers."""
