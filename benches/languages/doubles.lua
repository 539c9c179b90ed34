-- Compares math.random() of Lua with its rule on the same words: lua5.4 benches/languages/doubles.lua
-- Every result must equal that of the rule in crates/libraries/src/doubles.rs: 53 bits of a word of xoshiro256**.
local function rotated(x, n)
  return (x << n) | (x >> (64 - n))
end

local seeds, each = 2000, 50
for seed = 1, seeds do
  math.randomseed(seed, 0)
  local a, b, c, d = seed, 0xff, 0, 0
  local function word()
    local result = rotated(b * 5, 7) * 9
    local shifted = b << 17
    c, d = c ~ a, d ~ b
    a, b, c, d = a ~ d, b ~ c, c ~ shifted, rotated(d, 45)
    return result
  end
  for _ = 1, 16 do
    word()
  end
  for _ = 1, each do
    assert(math.random() == (word() >> 11) * 2.0 ^ -53, "math.random()")
  end
end
print(_VERSION .. ": " .. seeds * each .. " results are those of the rule")
