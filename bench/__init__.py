"""How fast the build is: `make bench`."""
