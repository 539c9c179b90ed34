use super::draws::*;

libraries! { "Perl";
    "perl-int-rand", "int(rand n)", "Perl 5.36", "util.c (drand48)", Run,
        "48 bits as a double, times n: biased",
        n up to MAX_EXACT_DOUBLE => double_attempts(48, 1, 48, n);
}
