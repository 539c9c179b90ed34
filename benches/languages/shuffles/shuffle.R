# Counts the words of 32 bits that sample() of R draws for shuffles. Arguments: id cards shuffles; prints the number of
# words. Words are drawn after each shuffle; their place in the generator's sequence shows how many the shuffle took.
arguments <- commandArgs(TRUE)
cards <- as.integer(arguments[2])
shuffles <- as.integer(arguments[3])
if (arguments[1] == "r-sample-rounding-shuffle") suppressWarnings(RNGkind(sample.kind = "Rounding"))
words <- 0
for (seed in seq_len(shuffles)) {
  set.seed(seed)
  sample(cards)
  after <- runif(3)
  set.seed(seed)
  drawn <- runif(4 * cards + 200)
  place <- which(drawn == after[1])
  place <- place[drawn[place + 1] == after[2] & drawn[place + 2] == after[3]]
  words <- words + place[1] - 1
}
cat(format(words, scientific = FALSE), "\n")
