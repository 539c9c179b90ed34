//! The p-value of a chi-square statistic.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The probability that a chi-square variable with `degrees` degrees of freedom exceeds `statistic`: the regularized
/// upper incomplete gamma function Q(degrees/2, statistic/2), which `statrs` computes to a relative error of 10^-9 for up
/// to 10^6 degrees.
pub fn chi_square_tail(degrees: u64, statistic: f64) -> f64 {
    let law = ChiSquared::new(degrees as f64).expect("there is a degree of freedom");
    law.sf(statistic)
}
