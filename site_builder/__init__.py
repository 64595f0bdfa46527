"""Builds the site: read -> observe -> resolve -> render -> write."""
