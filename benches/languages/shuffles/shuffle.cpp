// Counts the words that std::shuffle draws from its engines, in the C++ library with which this file is compiled. With
// -DBOOST (C++14), counts those of std::random_shuffle with Boost's numbers. Arguments: id cards shuffles; prints the number
// of words.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>
#ifdef BOOST
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/random_number_generator.hpp>
using Narrow = boost::random::mt19937;
#else
using Narrow = std::mt19937;
#endif

template <class Engine> struct Counted {
    using result_type = typename Engine::result_type;
    static constexpr result_type min() { return Engine::min(); }
    static constexpr result_type max() { return Engine::max(); }
    Engine engine;
    uint64_t words = 0;
    result_type operator()() {
        ++words;
        return engine();
    }
};

template <class Engine> uint64_t count(size_t cards, size_t shuffles) {
    Counted<Engine> engine;
    engine.engine.seed(cards);
    std::vector<uint32_t> deck(cards);
    std::iota(deck.begin(), deck.end(), 0);
    for (size_t i = 0; i < shuffles; ++i) {
#ifdef BOOST
        boost::random::random_number_generator<Counted<Engine>> number(engine);
        std::random_shuffle(deck.begin(), deck.end(), number);
#else
        std::shuffle(deck.begin(), deck.end(), engine);
#endif
    }
    return engine.words;
}

int main(int, char **arguments) {
    std::string id = arguments[1];
    size_t cards = strtoull(arguments[2], nullptr, 10), shuffles = strtoull(arguments[3], nullptr, 10);
    bool wide = id.size() > 3 && id.substr(id.size() - 3) == "-64";
    std::cout << (wide ? count<std::mt19937_64>(cards, shuffles) : count<Narrow>(cards, shuffles)) << '\n';
}
