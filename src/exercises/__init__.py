"""The exercises: a worked solution of each, and a check that says what is wrong with an answer."""
