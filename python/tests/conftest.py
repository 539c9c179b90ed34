"""Hypothesis runs without deadlines, since the machine may be busy. Tests that need packages which are not installed are
skipped: `pip install './python[test]'` installs all packages, and `.ci/python.sh` runs all tests."""

try:
    from hypothesis import settings
except ImportError:
    pass
else:
    settings.register_profile("flipcost", deadline=None)
    settings.load_profile("flipcost")
