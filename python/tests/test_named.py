"""Checks the orders of curves by their definition: the order times the generator is the neutral element.

Generators and coefficients: NIST SP 800-186 (P-224, P-256, P-384, P-521), SEC 2 (secp256k1), RFC 8032 (Ed25519, Ed448),
EIP-196 (BN254), draft-irtf-cfrg-pairing-friendly-curves-11 (BLS12-381).
"""

from fractions import Fraction

import flipcost
import pytest

_ANSWER = flipcost.list_constants()
VALUE = {name: int(value) for name, value in zip(_ANSWER["name"], _ANSWER["value"])}

# a and b of the curve y^2 = x^3 + a x + b, and the generator (x, y)
CURVES = {
    "p224": (
        -3,
        0xB4050A850C04B3ABF54132565044B0B7D7BFD8BA270B39432355FFB4,
        0xB70E0CBD6BB4BF7F321390B94A03C1D356C21122343280D6115C1D21,
        0xBD376388B5F723FB4C22DFE6CD4375A05A07476444D5819985007E34,
    ),
    "bn254r": (0, 3, 1, 2),
    "p256": (
        -3,
        0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    ),
    "p384": (
        -3,
        0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
        0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
        0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
    ),
    "p521": (
        -3,
        0x51953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00,
        0xC6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D3DBAA14B5E77EFE75928FE1DC127A2FFA8DE3348B3C1856A429BF97E7E31C2E5BD66,
        0x11839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E662C97EE72995EF42640C550B9013FAD0761353C7086A272C24088BE94769FD16650,
    ),
    "secp256k1": (
        0,
        7,
        0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
        0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
    ),
    "bls12381r": (
        0,
        4,
        0x17F1D3A73197D7942695638C4FA9AC0FC3688C4F9774B905A14E3A3F171BAC586C55E83FF97A1AEFFB3AF00ADB22C6BB,
        0x08B3F481E3AAA0F1A09E30ED741D8AE4FCF5E095D5D00AF600DB18CB2C04B3EDD03CC744A2888AE40CAA232946C5E7E1,
    ),
}


def multiply(k, point, add, neutral):
    result = neutral
    while k:
        if k & 1:
            result = add(result, point)
        point = add(point, point)
        k >>= 1
    return result


@pytest.mark.parametrize("name", CURVES)
def test_the_order_of_a_generator(name):
    a, b, x, y = CURVES[name]
    p = VALUE[name.removesuffix("r") + "p"]
    assert (y * y - x**3 - a * x - b) % p == 0

    def add(one, other):
        if one is None or other is None:
            return one or other
        (x1, y1), (x2, y2) = one, other
        if x1 == x2 and (y1 + y2) % p == 0:
            return None
        slope = (3 * x1 * x1 + a, 2 * y1) if x1 == x2 else (y2 - y1, x2 - x1)
        slope = slope[0] * pow(slope[1], -1, p) % p
        x3 = (slope * slope - x1 - x2) % p
        return x3, (slope * (x1 - x3) - y1) % p

    # the number is a prime, so it is the order itself and not a multiple of it
    assert multiply(VALUE[name], (x, y), add, None) is None


# a and d of the curve a x^2 + y^2 = 1 + d x^2 y^2, and the y of the generator
EDWARDS = {
    "ed25519": (-1, Fraction(-121665, 121666), Fraction(4, 5)),
    "ed448": (
        1,
        Fraction(-39081),
        Fraction(
            298819210078481492676017930443930673437544040154080242095928241372331506189835876003536878655418784733982303233503462500531545062832660
        ),
    ),
}


@pytest.mark.parametrize("name", EDWARDS)
def test_the_order_of_a_base_point(name):
    p = VALUE[name + "p"]
    a, *both = EDWARDS[name]
    d, y = (value.numerator * pow(value.denominator, -1, p) % p for value in both)
    square = (1 - y * y) * pow(a - d * y * y, -1, p) % p
    x = pow(square, (p + 3) // 8 if p % 8 == 5 else (p + 1) // 4, p)
    if (x * x - square) % p:
        x = x * pow(2, (p - 1) // 4, p) % p
    assert (x * x - square) % p == 0

    def add(one, other):
        (x1, y1), (x2, y2) = one, other
        t = d * x1 * x2 * y1 * y2 % p
        x3 = (x1 * y2 + x2 * y1) * pow(1 + t, -1, p)
        return x3 % p, (y1 * y2 - a * x1 * x2) * pow(1 - t, -1, p) % p

    assert multiply(VALUE[name], (x, y), add, (0, 1)) == (0, 1)
