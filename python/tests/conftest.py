"""Hypothesis without deadlines: the machine may be busy. Tests of packages that are not installed are skipped:
`pip install './python[test]'` brings them all, and `.ci/python.sh` runs them all."""

try:
    from hypothesis import settings
except ImportError:
    pass
else:
    settings.register_profile("flipcost", deadline=None)
    settings.load_profile("flipcost")
