"""Analyses for the page: jobs in threads, what they are about, and what they answer."""
