"""Read the code, the pages and the settings into records."""
