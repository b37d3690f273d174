package sessionindex

import (
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Query selects sessions. An empty field selects all.
type Query struct {
	Since  int64          // revision of the list that the caller has; 0 if it has none
	Text   string         // words that must all occur in the title, the folder, or the first or the last message
	Folder string         // working directory
	From   backend.Millis // only sessions used at or after this time
	To     backend.Millis // only sessions used at or before this time
}

// matcher returns a function that reports whether an entry matches the query.
func (q Query) matcher() func(e *entry) bool {
	words := strings.Fields(strings.ToLower(q.Text))
	return func(e *entry) bool {
		if q.Folder != "" && e.Description.Folder != q.Folder {
			return false
		}
		if at := e.updatedAt(); at < q.From || q.To > 0 && at > q.To {
			return false
		}
		if len(words) == 0 {
			return true
		}
		if e.search == "" {
			d := &e.Description
			e.search = strings.ToLower(strings.Join([]string{d.Name, d.Folder, d.First, e.First, d.Last, e.Last}, "\n"))
		}
		for _, word := range words {
			if !strings.Contains(e.search, word) {
				return false
			}
		}
		return true
	}
}
