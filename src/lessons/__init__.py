"""Programs that the pages run, in the build and in the reader's browser."""
