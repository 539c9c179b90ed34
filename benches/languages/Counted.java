import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Java's functions, with generators that return given words. Reads `id n calls word ...`, prints `id n outcome word ...`. */
public class Counted {
    static class Empty extends RuntimeException {}

    static long[] given;
    static int place;

    static long word() {
        if (place == given.length) throw new Empty();
        return given[place++];
    }

    /** A step of java.util.Random has 32 bits; next(bits) returns the top bits of these. */
    static class Steps extends Random {
        @Override
        protected int next(int bits) {
            return (int) word() >>> (32 - bits);
        }
    }

    /** In java.util.Random, nextLong takes two steps; here it takes one word of 64 bits. */
    static class Longs extends Random {
        @Override
        public long nextLong() {
            return word();
        }
    }

    static class Generator implements RandomGenerator {
        @Override
        public long nextLong() {
            return word();
        }
    }

    static class Bytes extends SecureRandomSpi {
        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected byte[] engineGenerateSeed(int count) {
            return new byte[count];
        }

        @Override
        protected void engineNextBytes(byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) word();
        }
    }

    static class Secure extends SecureRandom {
        Secure() {
            super(new Bytes(), null);
        }
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line; (line = in.readLine()) != null; ) {
            String[] parts = line.split(" ");
            String id = parts[0];
            long n = Long.parseUnsignedLong(parts[1]);
            int calls = Integer.parseInt(parts[2]);
            given = new long[parts.length - 3];
            for (int i = 0; i < given.length; i++) given[i] = Long.parseUnsignedLong(parts[i + 3]);
            place = 0;
            if (id.equals("java-threadlocalrandom")) {
                splittable(id, (int) n, calls, out);
                continue;
            }
            Random steps = new Steps(), longs = new Longs(), secure = new Secure();
            RandomGenerator generator = new Generator();
            try {
                for (int call = 0; call < calls; call++) {
                    int begin = place;
                    long outcome = switch (id) {
                        case "java-random-nextint" -> steps.nextInt((int) n);
                        case "java-nextlong" -> (call % 2 == 0 ? generator : longs).nextLong(n);
                        case "java-randomgenerator-64" -> generator.nextInt((int) n);
                        case "java-securerandom" -> secure.nextInt((int) n);
                        default -> throw new IllegalArgumentException(id);
                    };
                    out.append(id).append(' ').append(parts[1]).append(' ').append(outcome);
                    for (int at = begin; at < place; at++)
                        out.append(' ').append(Long.toUnsignedString(given[at]));
                    out.append('\n');
                }
            } catch (Empty end) {
                // the words are used up
            }
        }
        System.out.print(out);
    }

    /**
     * SplittableRandom is final, and its state cannot be read. Two copies with the same seed give each step as an int
     * and as a long. A long that is drawn after a call shows how many steps the call took.
     */
    static void splittable(String id, int n, int calls, StringBuilder out) {
        SplittableRandom real = new SplittableRandom(12345);
        SplittableRandom ints = new SplittableRandom(12345), longs = new SplittableRandom(12345);
        for (int call = 0; call < calls; call++) {
            out.append(id).append(' ').append(n).append(' ').append(real.nextInt(n));
            long mark = real.nextLong();
            while (longs.nextLong() != mark) out.append(' ').append(Integer.toUnsignedString(ints.nextInt()));
            ints.nextInt();
            out.append('\n');
        }
    }
}
