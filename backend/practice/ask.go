package practice

import (
	"strings"

	"github.com/tidwall/gjson"
)

// askUser is the end of the name of VoxPilot's tool that asks the user a question. The agent adds the server's name.
const askUser = "-ask_user"

// ask asks the user a question with choices.
func (g *conversation) ask() Reply {
	for _, tool := range g.Tools {
		if strings.HasSuffix(tool, askUser) {
			return g.thenCall("You want a question. I'll ask one with choices.", "Here's a question, as a model asks when it needs your decision. Choose an answer, write your own, or skip it.",
				tool, map[string]any{
					"question": "Which line should I add to the greeting?",
					"choices": []any{
						map[string]any{"label": "Have a good day.", "suggested": true},
						map[string]any{"label": "Good luck with your work.", "description": "A longer line"},
					},
				})
		}
	}
	return g.say("The agent doesn't give me a tool for asking you, so I can't ask anything.")
}

// answered tells the user what the agent's tool returned for the question.
func (g *conversation) answered(result string) Reply {
	switch answer := gjson.Get(result, "answer").String(); gjson.Get(result, "outcome").String() {
	case "answered":
		return g.say("The agent reports your answer: **" + oneLine(answer) + "**\n\nNothing was changed yet. To put it into the file, ask me to **add \"" + oneLine(answer) + "\"**.")
	case "skipped":
		return g.say("The agent reports that you skipped the question. A model then continues with its own judgment.")
	default:
		return g.say("The agent reports: *" + oneLine(result) + "*")
	}
}
