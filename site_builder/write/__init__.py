"""Write the site to disk."""
