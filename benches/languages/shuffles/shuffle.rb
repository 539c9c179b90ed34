# Counts the words of 32 bits that Array#shuffle draws. Arguments: id cards shuffles; prints the number of words. A word is
# drawn after each shuffle; its place in the generator's sequence shows how many the shuffle took.
cards, shuffles = ARGV[1].to_i, ARGV[2].to_i
deck = (0...cards).to_a
words = 0
shuffles.times do |seed|
  drawn, twin = Random.new(seed), Random.new(seed)
  deck.shuffle(random: drawn)
  after = Array.new(2) { drawn.rand(2**32) }
  a, b = twin.rand(2**32), twin.rand(2**32)
  until [a, b] == after
    words += 1
    a, b = b, twin.rand(2**32)
  end
end
puts words
