// Counts the calls of Math.random by the shuffle that people usually write. Arguments: id cards shuffles;
// prints the number of calls.
const [cards, shuffles] = process.argv.slice(3).map(Number);
const random = Math.random;
let words = 0;
Math.random = () => (words++, random());
const deck = Array.from({ length: cards }, (_, i) => i);
for (let times = 0; times < shuffles; times++) {
  for (let i = cards; i > 1; i--) {
    const j = Math.floor(Math.random() * i);
    [deck[i - 1], deck[j]] = [deck[j], deck[i - 1]];
  }
}
console.log(words);
