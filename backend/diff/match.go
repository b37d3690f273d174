package diff

import "github.com/aymanbagabas/go-udiff/lcs"

// MatchLines matches lines that two texts have in common and that are in the same order in both. For each line of
// after, it returns the index of the matching line of before, or -1 if there is none. In texts with many changes,
// lines that occur in both texts may have no match.
func MatchLines(before, after []string) []int {
	matches := make([]int, len(after))
	i, j := 0, 0
	keep := func(to int) {
		for ; j < to; i, j = i+1, j+1 {
			matches[j] = i
		}
	}
	for _, d := range lcs.DiffLines(before, after) {
		keep(d.ReplStart)
		for ; j < d.ReplEnd; j++ {
			matches[j] = -1
		}
		i = d.End
	}
	keep(len(after))
	return matches
}
