//! Two doubles at a time in plain arrays: the reference in tests for the code with vectors.

kernel!([f64; 2], width: 2);

fn splat(x: f64) -> V {
    [x, x]
}

#[inline(always)]
fn map_lanes(of: impl Fn(usize) -> f64) -> V {
    [of(0), of(1)]
}

fn add(a: V, b: V) -> V {
    map_lanes(|i| a[i] + b[i])
}

fn sub(a: V, b: V) -> V {
    map_lanes(|i| a[i] - b[i])
}

fn mul(a: V, b: V) -> V {
    map_lanes(|i| a[i] * b[i])
}

fn mul_add(a: V, b: V, c: V) -> V {
    map_lanes(|i| a[i].mul_add(b[i], c[i]))
}

fn mul_sub(a: V, b: V, c: V) -> V {
    map_lanes(|i| a[i].mul_add(b[i], -c[i]))
}

fn neg_mul_add(a: V, b: V, c: V) -> V {
    map_lanes(|i| (-a[i]).mul_add(b[i], c[i]))
}

fn split_halves(words: &[u64; W]) -> (V, V) {
    let double = |i: usize, shift: u32| f64::from((words[i] >> shift) as u32);
    (map_lanes(|i| double(i, 32)), map_lanes(|i| double(i, 0)))
}

fn to_integers(x: V) -> [u64; W] {
    x.map(|x| x as u64)
}

fn from_lanes(lanes: [f64; W]) -> V {
    lanes
}

fn to_lanes(x: V) -> [f64; W] {
    x
}

fn reversed([a, b]: V) -> V {
    [b, a]
}

fn transpose([[a, b], [c, d]]: &mut [V; W]) {
    std::mem::swap(b, c);
    let _ = (a, d);
}
