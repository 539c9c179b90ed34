//! Counts the words of 32 bits that the shuffles of rand draw. Has the arguments `id cards
//! shuffles`, and prints the number of words.

/// The generator splitmix64 (Vigna), which counts its calls.
struct Counted {
    state: u64,
    narrow: u64,
    wide: u64,
}

impl Counted {
    fn step(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn narrow(&mut self) -> u32 {
        self.narrow += 1;
        (self.step() >> 32) as u32
    }

    fn wide(&mut self) -> u64 {
        self.wide += 1;
        self.step()
    }

    /// Fills bytes with words; each four bytes count as one word.
    fn bytes(&mut self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(4) {
            part.copy_from_slice(&self.narrow().to_le_bytes()[..part.len()]);
        }
    }
}

impl rand8::RngCore for Counted {
    fn next_u32(&mut self) -> u32 {
        self.narrow()
    }
    fn next_u64(&mut self) -> u64 {
        self.wide()
    }
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.bytes(bytes);
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand8::Error> {
        self.bytes(bytes);
        Ok(())
    }
}

impl rand9::RngCore for Counted {
    fn next_u32(&mut self) -> u32 {
        self.narrow()
    }
    fn next_u64(&mut self) -> u64 {
        self.wide()
    }
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.bytes(bytes);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [cards, shuffles] = [&arguments[2], &arguments[3]].map(|number| number.parse::<u64>().unwrap());
    let mut deck: Vec<u64> = (0..cards).collect();
    let mut words = Counted { state: cards, narrow: 0, wide: 0 };
    for _ in 0..shuffles {
        match arguments[1].as_str() {
            "rust-rand-0.8-shuffle" => rand8::seq::SliceRandom::shuffle(&mut deck[..], &mut words),
            _ => rand9::seq::SliceRandom::shuffle(&mut deck[..], &mut words),
        }
    }
    assert_eq!(words.wide, 0, "every word has 32 bits");
    println!("{}", words.narrow);
}
