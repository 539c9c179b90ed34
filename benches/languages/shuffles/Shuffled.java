import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Counts the words that Collections.shuffle draws from java.util.Random. Arguments: id cards shuffles; prints the number. */
class Shuffled {
    static long words = 0;

    static class Counted extends Random {
        Counted(long seed) {
            super(seed);
        }

        @Override
        protected int next(int bits) {
            words++;
            return super.next(bits);
        }
    }

    public static void main(String[] arguments) {
        int cards = Integer.parseInt(arguments[1]);
        List<Integer> deck = new ArrayList<>();
        for (int i = 0; i < cards; i++) deck.add(i);
        Random random = new Counted(cards);
        words = 0;
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) Collections.shuffle(deck, random);
        System.out.println(words);
    }
}
