"""Run the subject and record what it does."""
