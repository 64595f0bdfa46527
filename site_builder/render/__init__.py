"""Turn records into HTML and JSON."""
