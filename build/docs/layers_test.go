package docs

import "strings"

// layer is a set of packages that may import each other and the packages of lower layers.
type layer struct {
	name     string
	packages []string // a path covers all packages below it
}

// layers lists the layers of the shipped program, from top to bottom.
var layers = []layer{
	{"The program", []string{"main"}},
	{"User interfaces: the window, the quick prompt, the command line, data for the page", []string{"backend/desktop", "backend/quick", "backend/commandline", "backend/data", "backend/screens"}},
	{"The engine: everything that needs the open database", []string{"backend/engine"}},
	{"Chats and agents", []string{"backend/assistant", "backend/agent", "backend/agentauth", "backend/commitmessage", "backend/rescue", "backend/sessionimport", "backend/wholeagent"}},
	{"Components", []string{"backend/", "internal/process"}},
	{"General-purpose packages", []string{"internal"}},
	{"Shared types", []string{"backend"}},
}

// layerOf returns the index of the layer with the longest path that matches a package, or -1 if no path matches.
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
