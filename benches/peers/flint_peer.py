"""Does the tasks of run.py with python-flint. It is plain.py with FLINT's integers for the long numbers."""

import flint

import plain

plain.integer = flint.fmpz
plain.gcd = lambda a, b: a.gcd(b)
plain.count_ones = lambda x: int(x).bit_count()  # fmpz has no count of its own

if __name__ == "__main__":
    plain.main()
