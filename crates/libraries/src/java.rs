use super::draws::*;

libraries! { "Java";
    "java-random-nextint", "java.util.Random.nextInt(bound)", "JDK 25", "java/util/Random.java", Run,
        "31 bits of a step, modulo n unless they are beyond the largest multiple",
        n up to MAX_INT => cut_attempts(32, 1, 31, n);
    "java-nextlong", "nextLong(bound)", "JDK 25", "jdk/internal/util/random/RandomSupport.java", Run,
        "63 bits of 64, modulo n unless they are beyond the largest multiple",
        n up to MAX_LONG => cut_attempts(64, 1, 63, n);
    "java-threadlocalrandom", "ThreadLocalRandom.nextInt, SplittableRandom.nextInt", "JDK 25", "jdk/internal/util/random/RandomSupport.java", Run,
        "31 bits of 32, modulo n unless they are beyond the largest multiple",
        n up to MAX_INT => cut_attempts(32, 1, 31, n);
    "java-randomgenerator-64", "RandomGenerator.nextInt of a 64-bit generator", "JDK 25", "jdk/internal/util/random/RandomSupport.java", Run,
        "31 bits of a step of 64, modulo n unless they are beyond the largest multiple",
        n up to MAX_INT => cut_attempts(64, 1, 31, n);
    "java-securerandom", "SecureRandom.nextInt(bound)", "JDK 25", "java/security/SecureRandom.java", Run,
        "31 bits of 4 bytes, modulo n unless they are beyond the largest multiple",
        n up to MAX_INT => cut_attempts(8, 4, 31, n);
}
