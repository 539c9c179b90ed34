//! Numbers with names: the orders and primes of elliptic curves, used as moduli in cryptography.
//!
//! The bare name of a curve is the order of its group, by which nonces and scalars are reduced;
//! with the suffix `p` it is the prime of the curve's field, by which RFC 9380 reduces. Every
//! number is prime; `python/tests/test_named.py` multiplies the generator of each curve by its
//! order.

use crate::near::nearest;

/// A number that has a name in every expression of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedNumber {
    /// The name, as in `p256`.
    pub name: &'static str,
    /// The number, as an expression.
    pub written: &'static str,
    /// A description of the number.
    pub about: &'static str,
    /// The document that states the number.
    pub source: &'static str,
}

const SP_800_186: &str = "NIST SP 800-186, 3.2.1";
const SEC_2: &str = "SEC 2 version 2.0, 2.4.1";
const RFC_8032: &str = "RFC 8032, 5.1";
const RFC_8032_448: &str = "RFC 8032, 5.2";
const EIP_196: &str = "EIP-196";
const PAIRING: &str = "draft-irtf-cfrg-pairing-friendly-curves-11, 4.2.1";

macro_rules! named {
    ($($name:literal = $written:literal, $about:literal, $source:expr;)*) => {
        &[$(NamedNumber { name: $name, written: $written, about: $about, source: $source }),*]
    };
}

/// All named numbers.
#[rustfmt::skip]
pub const NAMED: &[NamedNumber] = named! {
    "p224" = "2^224 - 4733179336708116180759420887881155", "order of the group of P-224", SP_800_186;
    "p224p" = "2^224 - 2^96 + 1", "prime of the field of P-224", SP_800_186;
    "p256" = "2^256 - 2^224 + 2^192 - 89188191075325690597107910205041859247", "order of the group of P-256", SP_800_186;
    "p256p" = "2^256 - 2^224 + 2^192 + 2^96 - 1", "prime of the field of P-256", SP_800_186;
    "p384" = "2^384 - 1388124618062372383947042015309946732620727252194336364173", "order of the group of P-384", SP_800_186;
    "p384p" = "2^384 - 2^128 - 2^96 + 2^32 - 1", "prime of the field of P-384", SP_800_186;
    "p521" = "2^521 - 657877501894328237357444332315020117536923257219387276263472201219398408051703", "order of the group of P-521", SP_800_186;
    "p521p" = "2^521 - 1", "prime of the field of P-521", SP_800_186;
    "secp256k1" = "2^256 - 432420386565659656852420866394968145599", "order of the group of secp256k1", SEC_2;
    "secp256k1p" = "2^256 - 2^32 - 977", "prime of the field of secp256k1", SEC_2;
    "ed25519" = "2^252 + 27742317777372353535851937790883648493", "order of the group of Ed25519 and of its prime subgroup", RFC_8032;
    "ed25519p" = "2^255 - 19", "prime of the field of Ed25519", RFC_8032;
    "ed448" = "2^446 - 13818066809895115352007386748515426880336692474882178609894547503885", "order of the prime subgroup of Ed448", RFC_8032_448;
    "ed448p" = "2^448 - 2^224 - 1", "prime of the field of Ed448", RFC_8032_448;
    "bn254r" = "bn254p - 6*4965661367192848881^2", "order of the group of BN254 (alt_bn128), its scalar field", EIP_196;
    "bn254p" = "36*4965661367192848881^4 + 36*4965661367192848881^3 + 24*4965661367192848881^2 + 6*4965661367192848881 + 1", "prime of the field of BN254 (alt_bn128)", EIP_196;
    "bls12381r" = "15132376222941642752^4 - 15132376222941642752^2 + 1", "order of the groups of BLS12-381, its scalar field", PAIRING;
    "bls12381p" = "15132376222941642753^2 * bls12381r / 3 - 15132376222941642752", "prime of the field of BLS12-381", PAIRING;
    "koalabear" = "2^31 - 2^24 + 1", "prime of the field KoalaBear", "Plonky3, koala-bear";
    "babybear" = "2^31 - 2^27 + 1", "prime of the field BabyBear", "RISC Zero; Plonky3, baby-bear";
    "mersenne31" = "2^31 - 1", "prime of the field Mersenne31", "Plonky3, mersenne-31";
    "goldilocks" = "2^64 - 2^32 + 1", "prime of the field Goldilocks", "Plonky2; Plonky3, goldilocks";
    "mlkem" = "3329", "the q of ML-KEM", "FIPS 203, 2.4";
    "mldsa" = "2^23 - 2^13 + 1", "the q of ML-DSA", "FIPS 204, 2.3";
    "falcon" = "3*2^12 + 1", "the q of Falcon", "Falcon 1.2";
};

/// Aliases: in each list, first the name in [`NAMED`], then the names that others use.
const ALIASES: [&[&str]; 14] = [
    &["p224", "secp224r1", "nistp224"],
    &["p256", "secp256r1", "prime256v1", "nistp256"],
    &["p384", "secp384r1", "nistp384"],
    &["p521", "secp521r1", "nistp521"],
    &["secp256k1", "bitcoin"],
    &[
        "ed25519",
        "curve25519",
        "x25519",
        "edwards25519",
        "ristretto255",
    ],
    &["ed448", "curve448", "x448", "edwards448", "decaf448"],
    &["bn254r", "bn254", "altbn128", "bn128"],
    &["bls12381r", "bls12381"],
    &["mersenne31", "m31"],
    &["mlkem", "kyber", "mlkem512", "mlkem768", "mlkem1024"],
    &["mldsa", "dilithium", "mldsa44", "mldsa65", "mldsa87"],
    &["falcon", "falcon512", "falcon1024", "fndsa"],
    &["ed25519p", "curve25519p"],
];

impl NamedNumber {
    /// Returns an upper bound of the length of a name in any spelling: twice the longest name, for
    /// added hyphens or blanks.
    pub(crate) fn max_name_len() -> usize {
        2 * NamedNumber::names().map(str::len).max().unwrap_or(0)
    }

    fn names() -> impl Iterator<Item = &'static str> {
        let aliases = ALIASES.iter().flat_map(|names| names.iter().copied());
        NAMED.iter().map(|named| named.name).chain(aliases)
    }

    /// Returns the named number whose name is most similar to a misspelled name.
    pub fn nearest(name: &str) -> Option<&'static str> {
        nearest(name, NamedNumber::names())
    }

    /// Returns a note that says which number of its curve a name means, if other programs may use
    /// the name for the prime of the field.
    pub fn reading(text: &str) -> Option<String> {
        let named = NamedNumber::find(text).filter(|named| named.about.starts_with("order of"))?;
        let prime = format!("{}p", named.name.trim_end_matches('r'));
        let prime = NAMED.iter().find(|other| other.name == prime)?;
        Some(format!(
            "{text} is the {}; the {} is {}",
            named.about, prime.about, prime.name
        ))
    }

    /// Finds the number with this name, ignoring case and hyphens: `P-256`, `Ed25519`, `secp256r1`.
    pub fn find(name: &str) -> Option<&'static NamedNumber> {
        let is = |known: &str, name: &str| known.eq_ignore_ascii_case(name);
        if let Some(named) = NAMED.iter().find(|named| named.name == name) {
            return Some(named);
        }
        let name: String = name.chars().filter(|c| !"-_".contains(*c)).collect();
        let other = ALIASES
            .iter()
            .find(|names| names.iter().any(|other| is(other, &name)));
        let name = other.map_or(name.as_str(), |names| names[0]);
        NAMED.iter().find(|named| is(named.name, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::Constant;
    use crate::expression::parse_natural;
    use crate::factor::is_probable_prime;
    use crate::{BigInt, Rational};

    #[test]
    fn every_number_is_prime_and_has_one_name() {
        for (i, named) in NAMED.iter().enumerate() {
            let value = parse_natural(named.name);
            assert_eq!(value, parse_natural(named.written));
            assert!(is_probable_prime(&value.unwrap()), "{}", named.name);
            assert!(NAMED[..i].iter().all(|other| other.name != named.name));
        }
    }

    /// Hasse 1936: a curve over the field of p elements has p + 1 points, within 2 sqrt(p). The
    /// cofactors are from the sources; that of BLS12-381 is (x - 1)^2 / 3.
    #[test]
    fn orders_are_in_the_interval_of_hasse() {
        for (order, field, cofactor) in [
            ("p224", "p224p", "1"),
            ("p256", "p256p", "1"),
            ("p384", "p384p", "1"),
            ("p521", "p521p", "1"),
            ("secp256k1", "secp256k1p", "1"),
            ("ed25519", "ed25519p", "8"),
            ("ed448", "ed448p", "4"),
            ("bn254r", "bn254p", "1"),
            ("bls12381r", "bls12381p", "15132376222941642753^2 / 3"),
        ] {
            let value = |text: &str| BigInt::from(parse_natural(text).unwrap());
            let (points, p) = (value(&format!("{cofactor} * {order}")), value(field));
            let trace: BigInt = &p + 1 - points;
            assert!(&trace * &trace <= p * 4, "{order}");
        }
    }

    #[test]
    fn names_are_understood_in_any_spelling() {
        for (text, meant) in [
            ("P256", "p256"),
            ("P-256", "p256"),
            ("secp256r1", "p256"),
            ("prime256v1", "p256"),
            ("NIST_P-256", "p256"),
            ("Ed25519", "ed25519"),
            ("BLS12-381", "bls12381r"),
            ("ML-KEM-768", "mlkem"),
            ("2 * KoalaBear", "2 * koalabear"),
            ("P-256-1", "p256 - 1"),
            ("p256-1", "p256 - 1"),
            ("2*P-256 - P-256", "p256"),
        ] {
            assert_eq!(parse_natural(text), parse_natural(meant), "{text}");
            assert!(Constant::real(&format!("pi + {text}")).is_ok(), "{text}");
        }
    }

    /// The names are accepted wherever numbers are.
    #[test]
    fn names_are_accepted_in_expressions() {
        let integer = |text: &str| parse_natural(text).map_err(|error| error.to_string());
        assert_eq!(integer("2^23 - 2^13 + 1 - mldsa"), Ok(0u8.into()));
        assert_eq!(integer("mlkem!/(mlkem - 1)!"), Ok(3329u32.into()));
        let real = Constant::real("log2(mersenne31 + 1) + pi - pi").unwrap();
        assert!((real.enclose(64)).contains(&Rational::from(BigInt::from(31))));
        for (text, at) in [("p257", 1), ("2 * P257", 5), ("mlkem(2)", 1)] {
            let error = integer(text).unwrap_err();
            let place = format!("character {at}");
            assert!(error.contains(&place), "{text}: {error}");
        }
    }
}
