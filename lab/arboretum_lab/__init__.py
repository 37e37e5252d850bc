"""The faces of the laboratory: the command line."""
