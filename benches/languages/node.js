// Runs Math.floor(Math.random() * n) of Node. Reads `id n calls`, prints `id n outcome word`. The word is
// the double itself times 2^52. If this product is not an integer, the program ends with an error.
const lines = require('fs').readFileSync(0, 'utf8').trim().split('\n');
const random = Math.random;
const out = [];
let drawn = [];
Math.random = () => {
    const u = random();
    drawn.push(u);
    return u;
};
for (const line of lines) {
    const [id, n, calls] = line.split(' ');
    for (let call = 0; call < Number(calls); call++) {
        drawn = [];
        const outcome = Math.floor(Math.random() * Number(n));
        out.push(`${id} ${n} ${outcome} ${drawn.map((u) => BigInt(u * 2 ** 52)).join(' ')}`);
    }
}
console.log(out.join('\n'));
