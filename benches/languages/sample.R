# Runs sample.int of R: reads `id n calls`, prints `id n outcome word ...`. The words of the seed are known from runif,
# which returns a step of the Mersenne Twister divided by 2^32. A word drawn after each call shows how many steps the
# call took.
lines <- strsplit(readLines(file("stdin")), " ")
for (line in lines) {
  id <- line[1]
  n <- as.numeric(line[2])
  calls <- as.integer(line[3])
  kind <- if (id == "r-sample-rounding") "Rounding" else "Rejection"
  suppressWarnings(set.seed(12345, kind = "Mersenne-Twister", sample.kind = kind))
  known <- runif(calls * 30 + 1000)
  suppressWarnings(set.seed(12345, kind = "Mersenne-Twister", sample.kind = kind))
  place <- 1
  out <- character(calls)
  for (call in seq_len(calls)) {
    # for small samples of n > 10^7, sample.int uses a hash table but draws the same index; useHash = FALSE avoids the table
    outcome <- if (n <= 10^7) sample.int(n, 1, useHash = FALSE) else sample.int(n, 1, replace = TRUE)
    mark <- runif(1)
    begin <- place
    while (known[place] != mark) place <- place + 1
    words <- floor(known[seq_len(place - begin) + begin - 1] * 2^32)
    out[call] <- paste(c(id, line[2], sprintf("%.0f", outcome - 1), sprintf("%.0f", words)), collapse = " ")
    place <- place + 1
  }
  writeLines(out)
}
