"""How fast the build and the built pages are: `make bench`."""
