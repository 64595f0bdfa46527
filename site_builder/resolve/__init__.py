"""Join pages, code and observations."""
