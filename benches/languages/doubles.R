# Compares doubles of R with their rule on the same words: Rscript benches/languages/doubles.R
# Every result must equal that of the rule in crates/libraries/src/doubles.rs.
seeds <- 2000
for (seed in seq_len(seeds)) {
  set.seed(seed)
  u <- runif(50)
  stopifnot(u * 2^32 == floor(u * 2^32), u > 0)
  for (ends in list(c(1, 2), c(0.1, 0.3), c(-0.3, 0.7))) {
    set.seed(seed)
    stopifnot(runif(50, ends[1], ends[2]) == ends[1] + (ends[2] - ends[1]) * u)
  }
}
cat(R.version.string, ":", seeds * 50, "results of each interval are those of the rule\n")
