// Runs std::uniform_int_distribution of the C++ library with which this file is compiled, or that of Boost with
// -DBOOST. The engine returns given words and records them. Reads `id n calls word ...`, prints `id n outcome word ...`.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>
#ifdef BOOST
#include <boost/random/uniform_int_distribution.hpp>
template <class T> using Uniform = boost::random::uniform_int_distribution<T>;
#else
template <class T> using Uniform = std::uniform_int_distribution<T>;
#endif

struct Empty {};

// An engine of 32-bit words, like mt19937.
struct Given {
    using result_type = uint32_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<uint32_t>::max(); }
    std::vector<uint32_t> words;
    size_t place = 0;
    result_type operator()() {
        if (place == words.size()) throw Empty{};
        return words[place++];
    }
};

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        std::string id;
        uint64_t n, word;
        size_t calls;
        in >> id >> n >> calls;
        Given given;
        while (in >> word) given.words.push_back(uint32_t(word));
        try {
            for (size_t call = 0; call < calls; ++call) {
                size_t begin = given.place;
                uint64_t outcome;
#if defined(__GLIBCXX__) && !defined(BOOST)
                if (id == "libstdcxx-generate-mt19937") {
                    uint64_t one[1];
                    Uniform<uint64_t> die(0, n - 1);
                    die.__generate(one, one + 1, given);
                    outcome = one[0];
                } else
#endif
                if (n <= uint64_t(1) << 32) {
                    outcome = Uniform<uint32_t>(0, uint32_t(n - 1))(given);
                } else {
                    outcome = Uniform<uint64_t>(0, n - 1)(given);
                }
                std::cout << id << ' ' << n << ' ' << outcome;
                for (size_t at = begin; at < given.place; ++at) std::cout << ' ' << given.words[at];
                std::cout << '\n';
            }
        } catch (Empty) {
        }
    }
}
