package workspace

import "context"

// Searching returns a function that searches the given paths without reading a folder.
func Searching(paths []string) func(ctx context.Context, query string, limit int) FileMatches {
	entries := make([]entry, len(paths))
	for i, path := range paths {
		entries[i].path = path
	}
	names := newNames(entries)
	return func(ctx context.Context, query string, limit int) FileMatches {
		found, err := names.find(ctx, query, limit)
		if err != nil {
			panic(err)
		}
		return found
	}
}
