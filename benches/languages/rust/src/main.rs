//! Runs the library functions of rand and fastrand. Reads `id n calls word ...`, and prints `id n
//! outcome word ...` for each call. The functions of rand get the given words. fastrand reveals its
//! state, so a copy of its generator repeats the words that it drew.

use rand::distr::{Distribution, Uniform};
use rand::rand_core::TryRng;
use rand::RngExt;
use std::convert::Infallible;
use std::io::{BufRead, Write};

/// Returns the given words one by one. After the last word, returns 0 and records that the words
/// ran out.
struct Given {
    words: Vec<u64>,
    place: usize,
}

impl Given {
    fn word(&mut self) -> u64 {
        let word = self.words.get(self.place).copied().unwrap_or(0);
        self.place += 1;
        word
    }
}

impl TryRng for Given {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.word() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        unreachable!("no function here asks for bytes")
    }
}

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let mut parts = line.split(' ');
        let id = parts.next().expect("an id");
        let mut numbers = parts.map(|part| part.parse::<u64>().expect("a number"));
        let n = numbers.next().expect("n");
        let calls = numbers.next().expect("calls");
        let words: Vec<u64> = numbers.collect();
        let mut given = Given { words, place: 0 };
        let (mut real, mut twin) = (fastrand::Rng::with_seed(7), fastrand::Rng::with_seed(7));
        for _ in 0..calls {
            let begin = given.place;
            let most = n - 1;
            let outcome = match id {
                "rust-rand-uniform32" if n <= 1 << 32 => {
                    let die = Uniform::new_inclusive(0, most as u32).expect("a range");
                    u64::from(die.sample(&mut given))
                }
                "rust-rand-uniform32" => Uniform::new(0, n).expect("a range").sample(&mut given),
                "rust-rand-unbiased32" | "rust-rand-random-range32" => {
                    u64::from(given.random_range(0..=most as u32))
                }
                "rust-rand-random-range64" => given.random_range(0..n),
                "rust-fastrand-i32" => u64::from(real.u32(0..=most as u32)),
                "rust-fastrand-usize" => real.u64(0..n),
                other => panic!("{other} is not one of these functions"),
            };
            let mut drawn = Vec::new();
            if id.starts_with("rust-fastrand") {
                while twin.get_seed() != real.get_seed() {
                    drawn.push(twin.u64(..));
                }
            } else if given.place > given.words.len() {
                break;
            } else {
                drawn.extend_from_slice(&given.words[begin..given.place]);
            }
            write!(out, "{id} {n} {outcome}").expect("output");
            drawn.iter().for_each(|word| write!(out, " {word}").expect("output"));
            writeln!(out).expect("output");
        }
    }
}
