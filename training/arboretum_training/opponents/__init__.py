"""Whom a learner plays beside itself."""
