//! A budget ends every long computation of the library: the test calls public functions with
//! arguments for which the answer would take minutes to years, and ends each call after 50 ms.

#[cfg(feature = "simulate")]
use flipcost::algorithms::simulate;
use flipcost::algorithms::{self, Algorithm, bounded, tree};
use flipcost::number::budget::{Budget, Spent};
use flipcost::number::factor::factor;
use flipcost::prelude::*;
use flipcost::sequences;
use std::time::{Duration, Instant};

type Work = Box<dyn Fn()>;

fn work(name: impl Into<String>, run: impl Fn() + 'static) -> (String, Work) {
    (name.into(), Box::new(run))
}

fn long_works() -> Vec<(String, Work)> {
    let mut all = Vec::new();
    let roller = |m: u64, n: u64| {
        FAST_DICE_ROLLER
            .law(&Task::die(n, Source::die(m).expect("dice")).expect("dice"))
            .expect("a law")
    };
    for n in [400_000_009u64, 2_000_000_011, 4_294_967_291, 3_999_999_999] {
        all.push(work(format!("mean {n}"), move || {
            let _ = roller(2, n).mean_up_to(u128::MAX);
        }));
        all.push(work(format!("variance {n}"), move || {
            let _ = roller(2, n).variance_up_to(u128::MAX);
        }));
        all.push(work(format!("mean from a d3 {n}"), move || {
            let _ = roller(3, n).mean_up_to(u128::MAX);
        }));
    }
    all.push(work("10^7 decimals of a mean", move || {
        let _ = roller(2, 1_000_003).mean_real().decimals(10_000_000);
    }));
    let all_but_one: BigInt = (BigInt::from(1) << 3_000_000u32) - 1;
    let far = Rational::new_raw(all_but_one.clone(), all_but_one + 1);
    all.push(work("a quantile far out", move || {
        let _ = roller(2, 7).quantile(&far);
    }));
    all.push(work("survival", move || {
        let _ = roller(2, 1_000_003).survival().nth(100_000_000);
    }));
    for sequence in sequences::all() {
        all.push(work(sequence.id().to_string(), move || {
            let _ = sequence.first(30_000_000);
        }));
    }
    for method in algorithms::REGISTRY {
        let method: &'static dyn Algorithm = *method;
        let id = method.about().id;
        for (m, n) in [(2u64, 1_000_003u64), (3, 99_999), (1 << 32, 1_000_000_007)] {
            all.push(work(format!("{id} d{n} from d{m}"), move || {
                let task = Task::die(n, Source::die(m).expect("dice")).expect("dice");
                if let Ok(law) = method.law(&task) {
                    let _ = law.variance_up_to(u128::MAX);
                    let _ = law.mean_real().decimals(1_000_000);
                }
            }));
        }
        all.push(work(format!("{id} of weights"), move || {
            let weights = (1..=3000u64).map(|i| i * i * i + 1);
            let weights: Vec<u64> = weights.collect();
            let target = Target::weighted(weights).expect("weights");
            if let Ok(law) = method.law(&Task::new(target, Source::COIN)) {
                let _ = law.variance_up_to(u128::MAX);
                let _ = law.mean_real().decimals(1_000_000);
            }
        }));
        all.push(work(format!("tree of {id}"), move || {
            let task = Task::die(999_983u32, Source::COIN).expect("dice");
            let _ = tree::nodes(method, &task, 60);
        }));
    }
    #[cfg(feature = "simulate")]
    all.push(work("simulate", move || {
        let task = Task::die(6u8, Source::COIN).expect("dice");
        let _ = simulate::simulate(FAST_DICE_ROLLER, &task, u64::MAX >> 20, 1);
    }));
    all.push(work("many draws", move || {
        let _ = roller(2, 1_000_003).repeat(1_000_000).log2_sf(20_700_000);
    }));
    all.push(work("factor", || {
        let _ = factor((1 << 61) - 1);
    }));
    let large = BigUint::from(1u8) << 8_000_000u32;
    all.push(work("bounded_rolls", move || {
        let _ = bounded::bounded_rolls(6, &large);
    }));
    all.push(work("entropy", || {
        let weights: Vec<u64> = (1..=200_000).collect();
        let target = Target::weighted(weights).expect("weights");
        let _ = Task::new(target, Source::COIN).entropy().decimals(1000);
    }));
    all
}

/// Each computation must end soon after its budget is spent; without a budget it would take from a
/// second to years. The limit of the test is far above the intended time, so that it passes on a
/// busy machine.
#[test]
fn a_budget_ends_every_long_computation() {
    for (name, run) in long_works() {
        let begun = Instant::now();
        let ended = Budget::default()
            .timeout(Duration::from_millis(50))
            .run(&run);
        assert!(matches!(ended, Ok(()) | Err(Spent::Time)), "{name}");
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(5), "{name}: {took:?}");
    }
}
