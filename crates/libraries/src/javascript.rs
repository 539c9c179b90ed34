use super::draws::*;

libraries! { "JavaScript" or "TypeScript" or "node" or "nodejs" or "js";
    "node-randomint", "crypto.randomInt", "Node 20.20", "lib/internal/crypto/random.js", Read,
        "48 bits, modulo n unless they are from the largest multiple up to 2^48 - 1 on",
        n up to (1 << 48) - 1 => {
            let most = power_of_two(48) - 1u8;
            attempts(48, 1, 48, n, Map::largest_multiple(&most, n))
        };
    "js-math-random-v8", "Math.floor(Math.random() * n)", "V8 of Node 20 and before", "src/numbers/math-random.cc", Run,
        "52 bits of 64 as a double, times n: biased",
        n up to MAX_EXACT_DOUBLE => double_attempts(64, 1, 52, n);
    "js-math-random-v8-53", "Math.floor(Math.random() * n)", "V8 13.6 and later", "src/base/utils/random-number-generator.h", Copy,
        "53 bits of 64 as a double, times n: biased",
        n up to MAX_EXACT_DOUBLE => double_attempts(64, 1, 53, n);
    "js-math-random-spidermonkey", "Math.floor(Math.random() * n)", "SpiderMonkey", "mfbt/XorShift128PlusRNG.h", Copy,
        "53 bits of 64 as a double, times n: biased",
        n up to MAX_EXACT_DOUBLE => double_attempts(64, 1, 53, n);
    "js-math-random-javascriptcore", "Math.floor(Math.random() * n)", "WebKit @08e4dc17", "Source/WTF/wtf/WeakRandom.h", Read,
        "53 bits of 64 as a double, times n: biased",
        n up to MAX_EXACT_DOUBLE => double_attempts(64, 1, 53, n);
}
