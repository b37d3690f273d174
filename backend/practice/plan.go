package practice

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// presentPlan is the end of the name of VoxPilot's tool that presents a plan. The agent adds the server's name.
const presentPlan = "-present_plan"

// plan presents a plan for the greeting file. content is the file's current content, as returned by the agent's tool.
func (g *conversation) plan(content string) Reply {
	second, ask := "Add one line at the end of `"+greeting+"`", "*add \"any words you like\"*"
	if strings.Contains(content, typo) {
		second, ask = "Fix the typo in the first line of `"+greeting+"`", "*fix the greeting*"
	}
	for _, tool := range g.Tools {
		if strings.HasSuffix(tool, presentPlan) {
			return g.thenCall("I've read the file, so I can present a plan.", "Here's my plan, as a model presents it before it works. You can edit, move or remove its steps and comment on them. Then approve it, or ask for changes.",
				tool, map[string]any{"title": "Improve the greeting", "plan": "1. Read `" + greeting + "`: done\n2. " + second + "\n3. Check the result with `" + script() + "`"})
		}
	}
	return g.say(fmt.Sprintf("I've read `%s`. Here's my plan:\n\n1. Read the file: done\n2. %s: say %s\n3. Check the result: say *run the script*", greeting, second, ask))
}

// areEditsAllowed reports whether the user allowed edits together with a plan in this turn.
func (g *conversation) areEditsAllowed() bool {
	for _, m := range g.turn {
		if m.Role == "tool" && gjson.Get(m.Text, "edits_allowed").Bool() {
			return true
		}
	}
	return false
}

// planned continues with the user's decision on the plan, which the agent's tool returned.
func (g *conversation) planned(result string) Reply {
	switch gjson.Get(result, "outcome").String() {
	case "approved":
		for _, m := range g.turn {
			if m.Role == "tool" { // the first result is the file
				return g.edit(m.Text)
			}
		}
		return g.say("You approved the plan.")
	case "changes":
		return g.say("The agent reports that you want changes:\n\n> " + oneLine(gjson.Get(result, "text").String()+" "+gjson.Get(result, "comments.#.comment").String()) +
			"\n\nA model would now present another plan. I'm only a script, so ask me to **make a plan** again.")
	default:
		return g.say("The plan wasn't approved, so nothing was changed.")
	}
}
