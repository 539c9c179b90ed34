-- Runs math.random(n) of Lua 5.4: reads `id n calls`, prints `id n outcome word ...`. The words of the seed are known
-- from random(0), which returns a whole word. A word drawn after each call shows how many words the call took.

-- Returns a word in decimal digits, as a number without a sign.
local function decimal(word)
  if word >= 0 then return tostring(word) end
  local tenth = (word >> 1) // 5
  return tostring(tenth) .. tostring(word - tenth * 10)
end

for line in io.lines() do
  local id, n, calls = line:match("^(%S+) (%S+) (%S+)")
  n, calls = math.tointeger(n), math.tointeger(calls)
  math.randomseed(12345)
  local words = {}
  for i = 1, calls * 12 + 1000 do words[i] = math.random(0) end
  math.randomseed(12345)
  local place = 1
  for _ = 1, calls do
    local row = { id, n, math.random(n) - 1 }
    local mark = math.random(0)
    while words[place] ~= mark do
      row[#row + 1] = decimal(words[place])
      place = place + 1
    end
    place = place + 1
    print(table.concat(row, " "))
  end
end
