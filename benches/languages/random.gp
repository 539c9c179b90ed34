\\ Runs random(n) of PARI/GP: reads `id n calls`, prints `id n outcome word ...`. The state before a call is stepped word
\\ by word until it is the state after the call. random(2^63) shows the top 63 bits of a word; the last bit is written as 0.
{
  lines = readstr("/dev/stdin");
  for (l = 1, #lines,
    part = strsplit(lines[l], " ");
    n = eval(part[2]);
    setrand(12345);
    for (call = 1, eval(part[3]),
      before = getrand();
      outcome = random(n);
      after = getrand();
      text = Str(part[1], " ", n, " ", outcome);
      setrand(before);
      while (getrand() != after, text = Str(text, " ", 2 * random(2^63)));
      print(text);
    );
  );
  quit;
}
