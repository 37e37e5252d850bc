"""Pure functions from a view to a picture: text and SVG."""
