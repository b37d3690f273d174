package docs

import "strings"

// layer is a set of packages that may import those of lower layers and each other.
type layer struct {
	name     string
	packages []string // a path covers all packages below it
}

// layers lists the layers of the shipped program, from top to bottom.
var layers = []layer{
	{"The program", []string{"main"}},
	{"What the user meets: the window, the quick prompt, the command line, what the page reads", []string{"backend/desktop", "backend/quick", "backend/commandline", "backend/data"}},
	{"The engine: all that needs the open database, put together", []string{"backend/engine"}},
	{"Chats and their agents", []string{"backend/assistant", "backend/agent"}},
	{"Parts, each of one subject", []string{"backend/", "internal/process"}},
	{"Tools without a subject of VoxPilot's", []string{"internal"}},
	{"The words that all of them use", []string{"backend"}},
}

// layerOf returns the index of a package's layer, by longest matching path, or -1 if
// there is none.
func layerOf(pkg string) int {
	found, longest := -1, 0
	for i, l := range layers {
		for _, path := range l.packages {
			under := pkg == path || strings.HasPrefix(pkg, strings.TrimSuffix(path, "/")+"/") && path != "backend"
			if under && len(path) > longest {
				found, longest = i, len(path)
			}
		}
	}
	return found
}
