// Counts the words of 64 bits that shuffles of math/rand and math/rand/v2 draw. Arguments: id cards shuffles; prints the
// number of words.
package main

import (
	"fmt"
	v1 "math/rand"
	v2 "math/rand/v2"
	"os"
	"strconv"
)

type counted struct {
	source *v2.PCG
	words  int
}

func (c *counted) Uint64() uint64 { c.words++; return c.source.Uint64() }
func (c *counted) Int63() int64   { return int64(c.Uint64() >> 1) }
func (c *counted) Seed(int64)     {}

func main() {
	cards, _ := strconv.Atoi(os.Args[2])
	shuffles, _ := strconv.Atoi(os.Args[3])
	words := &counted{source: v2.NewPCG(uint64(cards), 1)}
	old, new := v1.New(words), v2.New(words)
	swap := func(i, j int) {}
	for i := 0; i < shuffles; i++ {
		switch os.Args[1] {
		case "go-math-rand-shuffle":
			old.Shuffle(cards, swap)
		case "go-math-rand-perm":
			old.Perm(cards)
		default:
			new.Shuffle(cards, swap)
		}
	}
	fmt.Println(words.words)
}
