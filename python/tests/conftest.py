"""Hypothesis without deadlines: the machine may be busy."""

from hypothesis import settings

settings.register_profile("flipcost", deadline=None)
settings.load_profile("flipcost")
