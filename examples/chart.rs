//! A chart of the cost of the fast dice roller and of the entropy.

use flipcost::prelude::*;
use flipcost_figures::{Axis, Chart, Series};

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut costs, mut entropy) = (Vec::new(), Vec::new());
    for n in 1..=200u64 {
        let task = Task::die(n, Source::COIN)?;
        let mean = FAST_DICE_ROLLER.law(&task)?.mean_real().to_f64()?;
        costs.push((n as f64, mean));
        entropy.push((n as f64, task.entropy().to_f64()?));
    }
    let chart = Chart::new("What a fair die costs")
        .x(Axis::new("sides of the die, n"))
        .y(Axis::new("expected flips").range(0.0, 10.0))
        .series(Series::points("fast dice roller", costs))
        .series(Series::line("entropy, log₂ n", entropy));
    let file = std::env::temp_dir().join("what-a-die-costs.svg");
    std::fs::write(&file, chart.draw()?.svg())?;
    println!("{}", file.display());
    Ok(())
}
