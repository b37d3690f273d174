package practice

import (
	"fmt"
	"regexp"
	"strings"
)

// reviewPrompt is the start of the prompt for a review of changes (package suggest in backend/review). commentsHead is
// the start of the list of comments in a message (package comment).
const (
	reviewPrompt = "Review the changes below "
	commentsHead = "Review comments:\n"
)

var (
	changedFile = regexp.MustCompile("(?m)^## `([^`\n]+)` ")
	addedLine   = regexp.MustCompile(`(?m)^ *(\d+) \+(.*\S.*)$`)
)

// review answers the prompt for a review. The answer contains a comment on the first added line, or no comments if no
// line was added.
func (g *conversation) review() Reply {
	prompt := g.User()
	file := changedFile.FindStringSubmatchIndex(prompt)
	if file == nil {
		return Reply{Text("No comments.", talkPace)}
	}
	path := prompt[file[2]:file[3]]
	section, _, _ := strings.Cut(prompt[file[1]:], "\n## ")
	line := addedLine.FindStringSubmatch(section)
	if line == nil {
		return Reply{Text("No comments.", talkPace)}
	}
	fence := strings.Repeat("`", 3)
	return Reply{Text(fmt.Sprintf("I've read the changes.\n\n### %s:%s\n%s\n%s\n%s\nThis is a practice comment. Accept it, then edit it to: add \"any words you like\".\n", path, line[1], fence, line[2], fence), talkPace)}
}
