// Runs math/rand and crypto/rand of Go with generators that return given words. Reads `id n calls word ...`, prints
// `id n outcome word ...` for each call.
package main

import (
	"bufio"
	crypto "crypto/rand"
	"fmt"
	"io"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"strconv"
	"strings"
)

type given struct {
	words []uint64
	place int
}

func (g *given) Uint64() uint64 {
	if g.place == len(g.words) {
		panic(io.EOF)
	}
	g.place++
	return g.words[g.place-1]
}

func (g *given) Int63() int64 { return int64(g.Uint64() >> 1) }

func (g *given) Seed(int64) {}

func (g *given) Read(bytes []byte) (int, error) {
	for i := range bytes {
		bytes[i] = byte(g.Uint64())
	}
	return len(bytes), nil
}

func call(id string, n uint64, g *given) uint64 {
	switch id {
	case "go-math-rand":
		return uint64(rand.New(g).Intn(int(n)))
	case "go-math-rand-v2":
		return uint64(randv2.New(g).IntN(int(n)))
	case "go-crypto-rand", "go-crypto-rand-old":
		outcome, err := crypto.Int(g, new(big.Int).SetUint64(n))
		if err != nil {
			panic(err)
		}
		return outcome.Uint64()
	}
	panic(id)
}

func calls(id string, n uint64, count int, words []uint64, out *bufio.Writer) {
	g := &given{words: words}
	defer func() {
		if end := recover(); end != nil && end != io.EOF {
			panic(end)
		}
	}()
	for i := 0; i < count; i++ {
		begin := g.place
		outcome := call(id, n, g)
		fmt.Fprint(out, id, " ", n, " ", outcome)
		for _, word := range g.words[begin:g.place] {
			fmt.Fprint(out, " ", word)
		}
		fmt.Fprintln(out)
	}
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadString('\n')
		parts := strings.Fields(line)
		if len(parts) >= 3 {
			n, _ := strconv.ParseUint(parts[1], 10, 64)
			count, _ := strconv.Atoi(parts[2])
			words := make([]uint64, len(parts)-3)
			for i := range words {
				words[i], _ = strconv.ParseUint(parts[i+3], 10, 64)
			}
			calls(parts[0], n, count, words, out)
		}
		if err != nil {
			return
		}
	}
}
