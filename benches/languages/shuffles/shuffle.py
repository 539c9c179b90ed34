"""Counts the words that random.shuffle of CPython and the shuffles of NumPy draw. Arguments: id cards shuffles."""

import ctypes
import random
import sys
import threading

identifier, cards, shuffles = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
words = 0


class Counted(random.Random):
    def getrandbits(self, bits):
        global words
        words += -(-bits // 32)
        return super().getrandbits(bits)


class Words:
    """A bit generator of NumPy that counts its words of 32 and of 64 bits."""

    def __init__(self, seed):
        own = random.Random(seed)

        def word(bits):
            def next_word(state):
                global words
                words += 1
                return own.getrandbits(bits)

            return next_word

        wide, narrow = (ctypes.CFUNCTYPE(c, ctypes.c_void_p) for c in (ctypes.c_uint64, ctypes.c_uint32))
        double = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)

        class Interface(ctypes.Structure):
            _fields_ = [
                ("state", ctypes.c_void_p),
                ("next_uint64", wide),
                ("next_uint32", narrow),
                ("next_double", double),
                ("next_raw", wide),
            ]

        self.interface = Interface(None, wide(word(64)), narrow(word(32)), double(lambda _: own.random()), wide(word(64)))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.name = ctypes.c_char_p(b"BitGenerator")
        self.capsule = new(ctypes.addressof(self.interface), self.name, None)
        self.lock = threading.Lock()

    def _legacy_seeding(self, seed):
        pass


if identifier == "cpython-shuffle":
    shuffle, deck = Counted(cards).shuffle, list(range(cards))
else:
    import numpy

    make = numpy.random.Generator if "generator" in identifier else numpy.random.RandomState
    source = make(Words(cards))
    shuffle = source.shuffle if identifier.endswith("shuffle") else source.permutation
    deck = numpy.arange(cards)
words = 0
for _ in range(shuffles):
    shuffle(deck)
print(words)
