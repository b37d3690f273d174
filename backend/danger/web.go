package danger

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/voxpilot/voxpilot/backend"
)

// fromWeb marks a call that runs what another command in its words gets from the
// web. It reports whether there is one.
func (w *walker) fromWeb(call, args []word) bool {
	looked := 0
	for _, arg := range args {
		var got []word
		syntax.Walk(arg.node, func(n syntax.Node) bool {
			if got != nil || looked > maxLevel {
				return false
			}
			if c, ok := n.(*syntax.CallExpr); ok {
				looked++
				var words []word
				for _, one := range c.Args {
					words = append(words, w.word(one))
				}
				if words = started(words); slices.Contains(downloads, nameOf(words)) {
					got = words
				}
			}
			return true
		})
		if got != nil {
			w.mark(call, backend.Mark{Kind: backend.MarkWebScript, Part: nameOf(call) + " " + nameOf(got), Of: some(hostIn(got))})
			return true
		}
	}
	return false
}
