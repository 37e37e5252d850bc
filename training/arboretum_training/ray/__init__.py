"""Everything that needs Ray, and nothing that does not: the extra ``ray``."""
