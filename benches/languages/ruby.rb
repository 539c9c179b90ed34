# Runs Random#rand(n) of Ruby: reads `id n calls`, prints `id n outcome word ...`. A second generator with the same seed
# is stepped word by word until its state is equal to that of the first.
$stdin.each_line do |line|
  id, n, calls = line.split
  n = n.to_i
  real = Random.new(12345)
  twin = Random.new(12345)
  calls.to_i.times do
    outcome = real.rand(n)
    words = []
    words << twin.bytes(4).unpack1("V") until twin == real
    puts [id, n, outcome, *words].join(" ")
  end
end
