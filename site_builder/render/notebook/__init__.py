"""A page as a Jupyter notebook that runs by itself."""
