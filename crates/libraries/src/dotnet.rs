use super::draws::*;

libraries! { ".NET" or "C#" or "F#" or "dotnet";
    "dotnet-next", "new Random().Next(n)", ".NET 8 @43f28251", "Random.ImplBase.cs", Read,
        "Lemire's multiplication of the top 32 bits of a step of 64",
        n up to MAX_INT => multiply_attempts(64, 1, 32, n);
    "dotnet-next-6", "new Random().Next(n)", ".NET 6 and 7", "Random.Xoshiro256StarStarImpl.cs", Copy,
        "the top k bits of a step of 64, again until they are below n",
        n up to MAX_INT => if n.is_one() { no_draws(64) } else { mask_attempts(64, 1, max_value_bits(n), n) };
    "dotnet-getint32", "RandomNumberGenerator.GetInt32", ".NET @0175c78c", "RandomNumberGenerator.cs", Read,
        "k bits of 32, again until they are below n",
        n up to MAX_INT => if n.is_one() { no_draws(32) } else { mask_attempts(32, 1, max_value_bits(n), n) };
    "dotnet-next-seeded", "new Random(seed).Next(n)", ".NET, compatibility generator", "Random.Net5CompatImpl.cs", Copy,
        "a value from 0 to 2^31 - 2 as a double, times n: biased",
        n up to MAX_INT => {
            check_listable_sides(n)?;
            let (values, sides) = ((1u64 << 31) - 1, n.to_u64().expect("a word"));
            let each = 1.0 / values as f64;
            let outcome = |x: u64| (x as f64 * each * sides as f64) as u64;
            let bounds = least_word_of_each_outcome(values, sides, outcome);
            draw_of_values(values, Some(31), BitsRead::Bits(31), n, Map::Bounds(bounds))
        };
}
