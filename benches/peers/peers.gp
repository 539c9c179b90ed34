\\ Does the tasks of run.py in PARI/GP, on all cores: gp -q peers.gp, with a call on the standard input.
\\ Prints one line: a sum, and for a single n also the milliseconds inside the process.
default(parisizemax, 6*10^9);
default(threadsizemax, 10^9);
M61 = 2^61 - 1;

\\ Orders of 2 modulo odd m by smallest prime factors. exact is the power of two in the orders modulo
\\ the prime factors if all of these powers are equal, otherwise 0.
sieve(limit) =
{
  my(least = vectorsmall(limit), period = vectorsmall(limit), exact = vectorsmall(limit), q, r, a);
  forprime(q = 3, sqrtint(limit),
    forstep(k = q*q, limit, 2*q, if(!least[k], least[k] = q)));
  period[1] = 1;
  forstep(m = 3, limit, 2,
    q = least[m];
    if(!q, a = znorder(Mod(2, m)); period[m] = a; exact[m] = 1 << valuation(a, 2); next);
    r = m \ q;
    while(!(r % q), r \= q);
    if(r == 1,
      a = period[m \ q];
      period[m] = if(Mod(2, m)^a == 1, a, a * q);
      exact[m] = exact[q],
      period[m] = lcm(period[m \ r], period[r]);
      exact[m] = if(exact[q] == exact[r], exact[q], 0)));
  [period, exact];
}

\\ Counts the ones in the period of 1/m, for each [m, period] of a part.
ones_of(part) = [hammingweight(((1 << v[2]) - 1) \ v[1]) | v <- part];

deal(list, size) = vector((#list + size - 1) \ size, i, list[(i-1)*size + 1 .. min(i*size, #list)]);

rounds(limit, path) =
{
  my([period, exact] = sieve(limit), ones = vectorsmall(limit), todo = List(), found, f);
  ones[1] = 1;
  forstep(m = 3, limit, 2,
    if(exact[m] > 1, ones[m] = period[m] \ 2, listput(todo, [m, period[m]])));
  todo = Vec(todo);
  found = concat(parapply(ones_of, deal(todo, 512)));
  for(i = 1, #todo, ones[todo[i][1]] = found[i]);
  f = fileopen(path, "w");
  for(n = 1, limit, filewrite(f, Str(n, " ", ones[n >> valuation(n, 2)])));
  fileclose(f);
}

\\ Returns a mask for every i up to the length of bits: ones at those places j for which bit i of j is set.
masks(bits) =
{
  vector(logint(max(bits, 1), 2) + 1, i,
    my(step = 1 << (i-1), mask = ((1 << step) - 1) << step, width = 2 * step);
    while(width < bits, mask = bitor(mask, mask << width); width *= 2);
    mask);
}

\\ Returns the sum of j 2^j over the set bits j of b.
weigh(b, masks) = if(!b, 0, sum(i = 0, min(#masks - 1, logint(logint(b, 2) + 1, 2)), bitand(b, masks[i+1]) << i));

\\ For long b, J is J(low) + 2^h (J(high) + h high).
weigh_long(b, small) =
{
  if(!b, return(0));
  my(bits = logint(b, 2) + 1, h, high);
  if(bits <= 16384, return(weigh(b, small)));
  h = 1 << logint(bits - 1, 2);
  high = b >> h;
  weigh_long(bitand(b, (1 << h) - 1), small) + ((weigh_long(high, small) + h * high) << h);
}

unreduced(m, p, half, masks, long) =
{
  my(b = if(half, p \ 2, p), power = 1 << b, den, j);
  den = if(half, power + 1, power - 1);
  j = if(half, den \ m - 1, den \ m);
  j = if(long, weigh_long(j, masks), weigh(j, masks));
  [(b << b) + if(half, 2*m, 0) - m*j, den];
}

\\ Works on each [m, period, half] of a part; gp's own fractions give the lowest terms.
sum_of(part, limit, masks) =
{
  my(total = 0, e, v, num, den, n);
  for(i = 1, #part,
    v = part[i];
    if(v[1] == 1, num = 0; den = 1,
      e = unreduced(v[1], v[2], v[3], masks, 0);
      e = e[1] / e[2];
      num = numerator(e); den = denominator(e));
    n = v[1];
    while(n <= limit,
      total += num % M61 + den % M61;
      num += den;
      n *= 2));
  total % M61;
}

fractions(limit) =
{
  my([period, exact] = sieve(limit), all, ms = masks(limit));
  all = vector((limit + 1) \ 2, i, [2*i - 1, period[2*i - 1], exact[2*i - 1] > 1]);
  print(vecsum(parapply(part -> sum_of(part, limit, ms), deal(all, 64))) % M61);
}

one(n, reduced) =
{
  my(start = getwalltime(), k = valuation(n, 2), m = n >> k, p = znorder(Mod(2, m)), half, e, g);
  half = p % 2 == 0 && Mod(2, m)^(p \ 2) == -1;
  e = unreduced(m, p, half, masks(16384), 1);
  if(reduced, g = gcd(e[1], e[2]); if(g > 1, e = e / g));
  e[1] += k * e[2];
  start = getwalltime() - start;
  print((e[1] % M61 + e[2] % M61) % M61, " ", start);
}

\\ E(m) 2^bits is at least bits 2^bits - m J(floor(2^bits / m)), and exceeds it by less than 2 m.
decimals_of(part, limit, ms) =
{
  my(lines = List(), ten = 10^50, bits, power, low, value, n);
  foreach(part, m,
    value = 0;
    if(m > 1,
      bits = 256;
      while(1,
        power = 1 << bits;
        low = (bits << bits) - m * weigh(power \ m, if(bits == 256, ms, masks(bits)));
        value = (low * ten + (power >> 1)) >> bits;
        if(value == ((low + 2*m) * ten + (power >> 1)) >> bits, break);
        bits *= 2));
    n = m;
    while(n <= limit,
      listput(lines, [n, strprintf("%d,%d.%050d", n, value \ ten, value % ten)]);
      value += ten;
      n *= 2));
  Vec(lines);
}

decimals(limit, path) =
{
  my(lines = vector(limit), ms = masks(256), odd = vector((limit + 1) \ 2, i, 2*i - 1), f);
  foreach(parapply(part -> decimals_of(part, limit, ms), deal(odd, 512)), found,
    foreach(found, v, lines[v[1]] = v[2]));
  f = fileopen(path, "w");
  filewrite(f, "n,expected");
  for(n = 1, limit, filewrite(f, lines[n]));
  fileclose(f);
}

orders(limit) =
{
  my(period = sieve(limit)[1]);
  print(sum(n = 1, limit, period[n >> valuation(n, 2)]));
}

export(M61, masks, weigh, weigh_long, unreduced, sum_of, ones_of, decimals_of);
