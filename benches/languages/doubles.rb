# Compares doubles of Ruby with their rule on the same words: ruby benches/languages/doubles.rb
# Every result must equal that of the rule in crates/libraries/src/doubles.rs.
seeds, each = 2000, 50
seeds.times do |seed|
  [[1.0, 2.0], [0.1, 0.3], [-0.3, 0.7]].each do |a, b|
    drawn, twin = Random.new(seed), Random.new(seed)
    each.times do
      high, low = twin.rand(2**32) >> 5, twin.rand(2**32) >> 6
      u = (high * 2**26 + low) / 2.0**53
      raise "rand(#{a}...#{b})" unless drawn.rand(a...b) == u * (b - a) + a
    end
  end
end
puts "Ruby #{RUBY_VERSION}: #{seeds * each} results of each interval are those of the rule"
