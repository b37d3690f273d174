package diff

// MatchLines matches lines that two texts have in common and that are in the same order in both. For each line of
// after, it returns the index of the matching line of before, or -1 if there is none. In texts with many changes,
// lines that occur in both texts may have no match.
func MatchLines(before, after []string) []int {
	matches := make([]int, len(after))
	i, j := 0, 0
	for _, b := range append(Blocks(before, after, nil), Block{Old: len(before), New: len(after)}) {
		for ; j < b.New; i, j = i+1, j+1 {
			matches[j] = i
		}
		for ; j < b.New+b.News; j++ {
			matches[j] = -1
		}
		i = oldEnd(b)
	}
	return matches
}
