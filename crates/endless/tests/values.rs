//! The costs against values that were computed elsewhere, and against a slow second way.

use flipcost_endless::samplers::samplers;
use flipcost_endless::text::EndlessText;

fn law(text: &str) -> EndlessText {
    text.parse().unwrap()
}

/// To the digits that are printed: the value rounded to so many places.
fn agrees(value: &flipcost_number::Real, printed: &str) {
    let places = printed.split_once('.').map_or(0, |(_, places)| places.len() as u32);
    assert_eq!(value.decimals(places).unwrap(), printed);
}

/// Values of the optimum that were computed by exact integers (Knuth & Yao's sum).
#[test]
fn optimum_of_each_family() {
    for (text, printed) in [
        ("dlaplace:scale=1", "3.6027134948714"),
        ("dlaplace:scale=2", "4.66687836608786"),
        ("dgauss:sigma=1", "3.6160024114996"),
        ("dgauss:sigma=3/2", "3.7971299774958"),
        ("poisson:1", "3.3608108241323"),
        ("poisson:3", "4.0812825418203"),
        ("geometric:p=1/3", "3.8945000286525"),
        ("bernoulli:exp(-1)", "2"),
        ("bernoulli:1/sqrt(2)", "2"),
        ("bernoulli:pi/4", "2"),
        // P(x) = 2^-x: x flips
        ("geometric:p=1/2", "2"),
    ] {
        let value = law(text).optimum();
        eprintln!("{text} {}", value.decimals(20).unwrap_or_default());
        let places = printed.split_once('.').map_or(0, |(_, places)| places.len() as u32);
        if places > 0 {
            agrees(&value, printed);
        } else {
            let near = value.enclose(200);
            let exact = flipcost_number::Rational::from(flipcost_number::BigInt::from(2));
            assert!(near.contains(&exact), "{text}");
        }
    }
}

/// Canonne, Kamath & Steinke 2020, computed by exact integers.
#[test]
fn samplers_in_use() {
    let rows = samplers(law("bernoulli:exp(-1)").kind());
    agrees(&rows[0].expected, "2.35318072041006");
    let rows = samplers(law("dgauss:sigma=1").kind());
    let of_t = |t: u64| rows.iter().find(|row| row.t == Some(t)).unwrap();
    agrees(of_t(2).loops.as_ref().unwrap(), "1.84575900033");
    agrees(&of_t(2).expected, "21.5533200714");
    agrees(of_t(1).loops.as_ref().unwrap(), "1.4233");
    agrees(&of_t(1).expected, "11.887");
}
