//! The transforms, written as a macro. Each kind of processor has a module that expands the macro
//! for its vectors.

/// Defines `sums` for vectors of `$width` doubles. The module that invokes the macro must define
/// these functions for its vector type: `splat`, `add`, `sub`, `mul`, `mul_add` (a b + c),
/// `mul_sub` (a b - c), `neg_mul_add` (c - a b), each with one rounding; `split_halves` (the upper
/// and the lower halves of words, as doubles), `to_integers` (doubles from 0 to 2^52 as words),
/// `from_lanes`, `reversed` (the lanes) and `transpose`.
macro_rules! kernel {
    ($(#[$features:meta])? $vector:ty, width: $width:literal) => {
        use super::field::{PrimeField, ROUNDING_CONSTANT, PRIMES, ChineseRemainders, TransformShape, ProductTerm, chinese_remainder};
        use std::sync::{Arc, RwLock};

        type V = $vector;
        const W: usize = $width;
        const LEVELS: usize = W.ilog2() as usize;

        /// A prime and its rounded inverse, each in every lane of a vector.
        #[derive(Clone, Copy)]
        struct Modulus {
            p: V,
            inverse: V,
        }

        /// The roots T(j) of the module documentation for one prime.
        struct TwiddleFactors {
            field: PrimeField,
            /// T(j) for all j below the size divided by W.
            one: Vec<f64>,
            /// T((W g + lane) 2^l + s): for each g there are W - 1 vectors, at the indices 2^l -
            /// 1 + s with s < 2^l < W.
            lanes: Vec<V>,
            /// The inverses of the roots for g = 0.
            first: Vec<V>,
        }

        type Tables = Arc<[TwiddleFactors; 3]>;
        static TABLES: RwLock<Option<Tables>> = RwLock::new(None);

        /// Computes the roots for at least this many points.
        $(#[$features])?
        fn tables(points: usize) -> Tables {
            let enough = |tables: &&Tables| tables[0].one.len() * 2 * W >= points;
            if let Some(known) = TABLES.read().expect("no panic").as_ref().filter(enough) {
                return known.clone();
            }
            let mut kept = TABLES.write().expect("no panic");
            if let Some(known) = kept.as_ref().filter(enough) {
                return known.clone();
            }
            let size = points.next_power_of_two().max(2 * W * W);
            let found = Arc::new(PRIMES.map(|p| {
                roots(PrimeField::new(p), size)
            }));
            *kept = Some(found.clone());
            found
        }

        $(#[$features])?
        fn roots(field: PrimeField, size: usize) -> TwiddleFactors {
            let modulus = modulus(&field);
            let mut all = vec![1.0];
            for root in field.roots(size.ilog2() - 1) {
                let root = splat(root);
                let mut next = vec![0.0; all.len()];
                for (from, to) in all.chunks(W).zip(next.chunks_mut(W)) {
                    let row = from_lanes(std::array::from_fn(|i| *from.get(i).unwrap_or(&0.0)));
                    let row = reduce_modulo(&modulus, multiply_modulo(&modulus, row, root));
                    to.copy_from_slice(&to_lanes(row)[..to.len()]);
                }
                all.extend(next);
            }
            let groups = size / (W * W);
            let mut lanes = Vec::with_capacity(groups * (W - 1));
            for g in 0..groups {
                for l in 0..LEVELS {
                    for s in 0..1 << l {
                        lanes.push(from_lanes(std::array::from_fn(|i| all[((W * g + i) << l) + s])));
                    }
                }
            }
            let inverse = |j: usize| match j {
                0 => 1.0,
                _ => -all[opposite_root(j)],
            };
            let mut first = Vec::new();
            for l in 0..LEVELS {
                for s in 0..1 << l {
                    first.push(from_lanes(std::array::from_fn(|i| inverse((i << l) + s))));
                }
            }
            all.truncate(size / (2 * W));
            TwiddleFactors { field, one: all, lanes, first }
        }

        /// The index k with T(j) T(k) = -1, for j > 0.
        #[inline(always)]
        fn opposite_root(j: usize) -> usize {
            (3 << j.ilog2()) - 1 - j
        }

        $(#[$features])?
        #[inline]
        fn modulus(field: &PrimeField) -> Modulus {
            Modulus { p: splat(field.p), inverse: splat(field.inverse) }
        }

        /// Computes a b modulo p, for |a b| <= 2 p^2.
        $(#[$features])?
        #[inline]
        fn multiply_modulo(m: &Modulus, a: V, b: V) -> V {
            let high = mul(a, b);
            let low = mul_sub(a, b, high);
            let quotient = sub(mul_add(high, m.inverse, splat(ROUNDING_CONSTANT)), splat(ROUNDING_CONSTANT));
            add(neg_mul_add(quotient, m.p, high), low)
        }

        /// Computes a modulo p, with an absolute value of at most p / 2.
        $(#[$features])?
        #[inline]
        fn reduce_modulo(m: &Modulus, a: V) -> V {
            let quotient = sub(mul_add(a, m.inverse, splat(ROUNDING_CONSTANT)), splat(ROUNDING_CONSTANT));
            neg_mul_add(quotient, m.p, a)
        }

        /// Computes all sums of products, in two's complement, of `shape.words` words each.
        $(#[$features])?
        pub(super) fn sums(operands: &[&[u64]], sums: &[&[ProductTerm]], shape: TransformShape, threads: bool) -> Vec<Vec<u64>> {
            let tables = tables(shape.usable_points());
            let prime = |k: usize| {
                residues(&tables[k], operands, sums, shape)
            };
            let rows = shape.points() / W;
            let found: Vec<Vec<V>> = if threads { crate::threads::map(3, &prime) } else { (0..3).map(prime).collect() };
            let moduli = [0, 1, 2].map(|k| modulus(&tables[k].field));
            let lifting = ChineseRemainders::new([0, 1, 2].map(|k| &tables[k].field));
            let one = |i: usize| {
                let of = |k: usize| &found[k][i * rows..][..rows];
                lift_residues([of(0), of(1), of(2)], &moduli, &lifting, shape.words)
            };
            if threads { crate::threads::map(sums.len(), &one) } else { (0..sums.len()).map(one).collect() }
        }

        /// Computes the sums modulo one prime, one sum after the other.
        $(#[$features])?
        fn residues(roots: &TwiddleFactors, operands: &[&[u64]], sums: &[&[ProductTerm]], shape: TransformShape) -> Vec<V> {
            let m = &modulus(&roots.field);
            let rows = shape.points() / W;
            let block = rows / shape.blocks;
            let mut known: Vec<V> = Vec::with_capacity(rows * operands.len());
            for words in operands {
                let start = known.len();
                load_words(m, words, &mut known);
                known.resize(start + rows, splat(0.0));
                let x = &mut known[start..];
                forward_top(m, roots, x, shape.blocks);
                for (node, x) in x.chunks_exact_mut(block).enumerate() {
                    forward(m, roots, x, node);
                }
            }
            let of = |operand: usize| &known[operand * rows..][..rows];
            let scale = splat(roots.field.scale(shape));
            let mut all: Vec<V> = Vec::with_capacity(rows * sums.len());
            for terms in sums {
                let start = all.len();
                let scale = if terms[0].minus { sub(splat(0.0), scale) } else { scale };
                let first = (of(terms[0].left), of(terms[0].right));
                match terms {
                    [_] => {
                        for r in 0..rows {
                            all.push(multiply_modulo(m, multiply_modulo(m, first.0[r], first.1[r]), scale));
                        }
                    }
                    [a, b] => {
                        let second = (of(b.left), of(b.right));
                        for r in 0..rows {
                            let p = multiply_modulo(m, first.0[r], first.1[r]);
                            let q = multiply_modulo(m, second.0[r], second.1[r]);
                            let both = if a.minus == b.minus { add(p, q) } else { sub(p, q) };
                            all.push(multiply_modulo(m, both, scale));
                        }
                    }
                    _ => unreachable!("a sum has one or two terms"),
                }
                let x = &mut all[start..];
                for (node, x) in x.chunks_exact_mut(block).enumerate() {
                    backward(m, roots, x, node);
                }
                backward_top(m, roots, x, shape.blocks);
            }
            all
        }

        /// Reduces words modulo p, W of them at a time.
        $(#[$features])?
        fn load_words(m: &Modulus, words: &[u64], x: &mut Vec<V>) {
            let (whole, rest) = words.as_chunks::<W>();
            let row = |words: &[u64; W]| {
                let (high, low) = split_halves(words);
                add(reduce_modulo(m, mul(high, splat(4294967296.0))), low)
            };
            for words in whole {
                x.push(row(words));
            }
            if !rest.is_empty() {
                x.push(row(&std::array::from_fn(|i| *rest.get(i).unwrap_or(&0))));
            }
        }

        /// Computes, from coefficients, the residues modulo the polynomials of the first blocks.
        $(#[$features])?
        fn forward_top(m: &Modulus, roots: &TwiddleFactors, x: &mut [V], blocks: usize) {
            let i = splat(roots.one[1]);
            let second = splat(roots.one[2]);
            let rows = x.len() / blocks;
            for r in 0..rows {
                let (f0, f1) = (x[r], x[rows + r]);
                let (f2, f3) = (x[2 * rows + r], x[3 * rows + r]);
                let f4 = if blocks > 4 { x[4 * rows + r] } else { splat(0.0) };
                let f5 = if blocks > 5 { x[5 * rows + r] } else { splat(0.0) };
                let [a0, a1] = [add(f0, f4), add(f1, f5)];
                let (s0, s1) = (add(a0, f2), add(a1, f3));
                let (d0, d1) = (sub(a0, f2), multiply_modulo(m, i, sub(a1, f3)));
                let first = [add(s0, s1), sub(s0, s1), add(d0, d1), sub(d0, d1)];
                if blocks == 4 {
                    for (b, value) in first.into_iter().enumerate() {
                        x[b * rows + r] = value;
                    }
                    continue;
                }
                for (b, value) in first.into_iter().enumerate() {
                    x[b * rows + r] = reduce_modulo(m, value);
                }
                let c0 = add(sub(f0, f4), multiply_modulo(m, i, f2));
                let c1 = add(sub(f1, f5), multiply_modulo(m, i, f3));
                let c1 = multiply_modulo(m, second, c1);
                x[4 * rows + r] = reduce_modulo(m, add(c0, c1));
                if blocks == 6 {
                    x[5 * rows + r] = reduce_modulo(m, sub(c0, c1));
                }
            }
        }

        /// The inverse of `forward_top`: from residues, multiplied by the length of a block,
        /// computes coefficients, multiplied by 4 or 8 such lengths.
        $(#[$features])?
        fn backward_top(m: &Modulus, roots: &TwiddleFactors, x: &mut [V], blocks: usize) {
            let one = &roots.one;
            let [i, second, third] = [splat(one[1]), splat(one[2]), splat(one[3])];
            // 1 / i = -i, and 1 / T(2) = -T(3).
            let rows = x.len() / blocks;
            for r in 0..rows {
                let (o0, o1) = (x[r], x[rows + r]);
                let (o2, o3) = (x[2 * rows + r], x[3 * rows + r]);
                let (s0, s1) = (add(o0, o1), sub(o0, o1));
                let (d0, d1) = (add(o2, o3), multiply_modulo(m, sub(o3, o2), i));
                let a0 = reduce_modulo(m, add(s0, d0));
                let a2 = reduce_modulo(m, sub(s0, d0));
                let a1 = reduce_modulo(m, add(s1, d1));
                let a3 = reduce_modulo(m, sub(s1, d1));
                if blocks == 4 {
                    x[r] = a0;
                    x[rows + r] = a1;
                    x[2 * rows + r] = a2;
                    x[3 * rows + r] = a3;
                    continue;
                }
                let b4 = x[4 * rows + r];
                let double = |a: V| add(a, a);
                if blocks == 5 {
                    let known = add(add(multiply_modulo(m, second, a1), multiply_modulo(m, i, a2)), multiply_modulo(m, third, a3));
                    let g0 = reduce_modulo(m, sub(mul(splat(4.0), b4), known));
                    x[r] = add(a0, g0);
                    x[rows + r] = double(a1);
                    x[4 * rows + r] = sub(a0, g0);
                } else {
                    let b5 = x[5 * rows + r];
                    let c0 = double(add(b4, b5));
                    let c1 = multiply_modulo(m, double(sub(b5, b4)), third);
                    let g0 = reduce_modulo(m, sub(c0, multiply_modulo(m, i, a2)));
                    let g1 = sub(c1, multiply_modulo(m, i, a3));
                    x[r] = add(a0, g0);
                    x[4 * rows + r] = sub(a0, g0);
                    x[rows + r] = add(a1, g1);
                    x[5 * rows + r] = sub(a1, g1);
                }
                x[2 * rows + r] = double(a2);
                x[3 * rows + r] = double(a3);
            }
        }

        /// Splits the points into four parts of equal length; the last parts may be shorter or
        /// empty.
        #[inline(always)]
        fn quarters(x: &mut [V]) -> [&mut [V]; 4] {
            let quarter = x.len() / 4;
            let (low, high) = x.split_at_mut(2 * quarter);
            let ((a, b), (c, d)) = (low.split_at_mut(quarter), high.split_at_mut(quarter));
            [a, b, c, &mut d[..quarter]]
        }

        /// Computes the residues of all nodes below this node from the residues of the node.
        $(#[$features])?
        fn forward(m: &Modulus, roots: &TwiddleFactors, x: &mut [V], node: usize) {
            let rows = x.len();
            if rows == W {
                return forward_leaf(m, roots, x, node);
            }
            if rows == 2 * W {
                let (a, b) = x.split_at_mut(W);
                let root = splat(roots.one[node]);
                for (a, b) in a.iter_mut().zip(&mut *b) {
                    let (sum, product) = (reduce_modulo(m, *a), multiply_modulo(m, *b, root));
                    (*a, *b) = (add(sum, product), sub(sum, product));
                }
                forward_leaf(m, roots, a, 2 * node);
                return forward_leaf(m, roots, b, 2 * node + 1);
            }
            let square = splat(roots.one[node]);
            let root = splat(roots.one[2 * node]);
            let other = splat(roots.one[2 * node + 1]);
            let [a, b, c, d] = quarters(x);
            // Zipped iterators would compile to a call that is not inlined.
            for r in 0..a.len() {
                let (c1, d1) = (multiply_modulo(m, c[r], square), multiply_modulo(m, d[r], square));
                let a1 = reduce_modulo(m, a[r]);
                let (s0, d0) = (add(a1, c1), sub(a1, c1));
                let s1 = multiply_modulo(m, add(b[r], d1), root);
                let d1 = multiply_modulo(m, sub(b[r], d1), other);
                (a[r], b[r]) = (add(s0, s1), sub(s0, s1));
                (c[r], d[r]) = (add(d0, d1), sub(d0, d1));
            }
            for (i, x) in x.chunks_exact_mut(rows / 4).enumerate() {
                forward(m, roots, x, 4 * node + i);
            }
        }

        /// Computes the residues of a node from those of the nodes below, multiplied by their
        /// number.
        $(#[$features])?
        fn backward(m: &Modulus, roots: &TwiddleFactors, x: &mut [V], node: usize) {
            let rows = x.len();
            if rows == W {
                return backward_leaf(m, roots, x, node);
            }
            // The inverse of a root is minus another root.
            let inverse = |j: usize| splat(if j == 0 { 1.0 } else { -roots.one[opposite_root(j)] });
            if rows == 2 * W {
                let (a, b) = x.split_at_mut(W);
                backward_leaf(m, roots, a, 2 * node);
                backward_leaf(m, roots, b, 2 * node + 1);
                let root = inverse(node);
                for (a, b) in a.iter_mut().zip(b) {
                    let (sum, difference) = (add(*a, *b), sub(*a, *b));
                    (*a, *b) = (reduce_modulo(m, sum), multiply_modulo(m, difference, root));
                }
                return;
            }
            for (i, x) in x.chunks_exact_mut(rows / 4).enumerate() {
                backward(m, roots, x, 4 * node + i);
            }
            let (square, root, other) = (inverse(node), inverse(2 * node), inverse(2 * node + 1));
            let [a, b, c, d] = quarters(x);
            for r in 0..a.len() {
                let (s0, s1) = (add(a[r], b[r]), multiply_modulo(m, sub(a[r], b[r]), root));
                let (d0, d1) = (add(c[r], d[r]), multiply_modulo(m, sub(c[r], d[r]), other));
                (a[r], b[r]) = (reduce_modulo(m, add(s0, d0)), reduce_modulo(m, add(s1, d1)));
                (c[r], d[r]) = (multiply_modulo(m, sub(s0, d0), square), multiply_modulo(m, sub(s1, d1), square));
            }
        }

        /// Transforms W rows: first the W nodes below, where each node is a row; then the W lanes
        /// of each row.
        $(#[$features])?
        #[inline]
        fn forward_leaf(m: &Modulus, roots: &TwiddleFactors, x: &mut [V], node: usize) {
            let x: &mut [V; W] = x.try_into().expect("W rows");
            let mut v = *x;
            for l in 0..LEVELS {
                for s in 0..1 << l {
                    let root = splat(roots.one[(node << l) + s]);
                    forward_step(m, &mut v, l, s, root, l % 2 == 0);
                }
            }
            transpose(&mut v);
            let lanes: &[V] = &roots.lanes[node * (W - 1)..][..W - 1];
            for l in 0..LEVELS {
                for s in 0..1 << l {
                    forward_step(m, &mut v, l, s, lanes[(1 << l) - 1 + s], (LEVELS + l) % 2 == 0);
                }
            }
            for (x, v) in x.iter_mut().zip(v) {
                *x = reduce_modulo(m, v);
            }
        }

        $(#[$features])?
        #[inline]
        fn forward_step(m: &Modulus, v: &mut [V; W], l: usize, s: usize, root: V, reduce: bool) {
            let half = W >> (l + 1);
            for i in 2 * half * s..2 * half * s + half {
                let a = if reduce { reduce_modulo(m, v[i]) } else { v[i] };
                let b = multiply_modulo(m, v[i + half], root);
                (v[i], v[i + half]) = (add(a, b), sub(a, b));
            }
        }

        /// The inverse of `forward_leaf`, multiplied by W^2.
        $(#[$features])?
        #[inline]
        fn backward_leaf(m: &Modulus, roots: &TwiddleFactors, x: &mut [V], node: usize) {
            let x: &mut [V; W] = x.try_into().expect("W rows");
            let mut v = *x;
            if node == 0 {
                for l in (0..LEVELS).rev() {
                    for s in 0..1 << l {
                        let root = sub(splat(0.0), roots.first[(1 << l) - 1 + s]);
                        backward_step(m, &mut v, l, s, root, l % 2 == LEVELS % 2);
                    }
                }
            } else {
                let lanes: &[V] = &roots.lanes[opposite_root(node) * (W - 1)..][..W - 1];
                for l in (0..LEVELS).rev() {
                    for s in 0..1 << l {
                        let root = reversed(lanes[(1 << l) - 1 + (1 << l) - 1 - s]);
                        backward_step(m, &mut v, l, s, root, l % 2 == LEVELS % 2);
                    }
                }
            }
            transpose(&mut v);
            for l in (0..LEVELS).rev() {
                for s in 0..1 << l {
                    let j = (node << l) + s;
                    let root = splat(if j == 0 { -1.0 } else { roots.one[opposite_root(j)] });
                    backward_step(m, &mut v, l, s, root, l % 2 == 0);
                }
            }
            *x = v;
        }

        /// The inverse of `forward_step`. `root` is minus the inverse of the root of the forward
        /// step.
        $(#[$features])?
        #[inline]
        fn backward_step(m: &Modulus, v: &mut [V; W], l: usize, s: usize, root: V, reduce: bool) {
            let half = W >> (l + 1);
            for i in 2 * half * s..2 * half * s + half {
                let (sum, difference) = (add(v[i], v[i + half]), sub(v[i + half], v[i]));
                v[i] = if reduce { reduce_modulo(m, sum) } else { sum };
                v[i + half] = multiply_modulo(m, difference, root);
            }
        }

        /// Computes the number with these coefficients in base 2^64, in two's complement.
        $(#[$features])?
        fn lift_residues(x: [&[V]; 3], m: &[Modulus; 3], lifting: &ChineseRemainders, words: usize) -> Vec<u64> {
            let mut out = Vec::with_capacity(words.next_multiple_of(W));
            let mut carry = 0;
            let [second, third, first] = lifting.inverses.map(|x| splat(x));
            let halves = lifting.halves.map(|x| splat(x));
            let rows = x[0].len().min(words.div_ceil(W));
            let [x, y, z] = [&x[0][..rows], &x[1][..rows], &x[2][..rows]];
            for r in 0..rows {
                let a = reduce_modulo(&m[0], x[r]);
                let b = reduce_modulo(&m[1], multiply_modulo(&m[1], sub(y[r], a), second));
                let c = sub(sub(z[r], a), multiply_modulo(&m[2], b, first));
                let c = reduce_modulo(&m[2], multiply_modulo(&m[2], c, third));
                let (a, b) = (to_integers(add(a, halves[0])), to_integers(add(b, halves[1])));
                let c = to_integers(add(c, halves[2]));
                let mut row = [0; W];
                for i in 0..W {
                    row[i] = chinese_remainder(lifting, a[i], b[i], c[i], &mut carry);
                }
                out.extend_from_slice(&row);
            }
            while out.len() < words {
                out.push(carry as u64);
                carry >>= 64;
            }
            out.truncate(words);
            out
        }
    };
}
