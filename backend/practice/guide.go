package practice

import (
	"embed"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

//go:embed texts
var texts embed.FS

// The guide's streaming speeds. They are fast enough not to be annoying and slow enough
// for streaming to be visible; the story is slow enough for the user to stop it.
var (
	talkPace  = Pace{Words: 2, Delay: 25 * time.Millisecond}
	storyPace = Pace{Words: 1, Delay: 30 * time.Millisecond}
)

// Guide returns the script for practice mode. The script is stateless: each request contains everything
// the script needs, so it continues after a restart like a real model.
//
// The guide introduces itself, streams text, edits a file and runs a command in the practice folder
// (the agent asks the user first), asks a question, and makes a plan. Everything it states about a file or a command
// comes from the agent's reports.
func Guide() Script { return Func(guide) }

func guide(req Request) Reply {
	if req.Side() {
		return Reply{Text("This is a practice conversation with a scripted model. Nothing in it needs to be kept.")}
	}
	g := &conversation{Request: req, want: intent(req)}
	for i, m := range req.Messages {
		if m.Role == "user" {
			g.turn = req.Messages[i+1:]
			g.texts = append(g.texts, typed(m.Text))
			g.rejected = i > 0 && rejected(req.Messages[i-1])
		}
	}
	if req.Last().Role == "tool" {
		return g.continueTurn()
	}
	return g.begin()
}

// conversation is the guide's view of one request.
type conversation struct {
	Request
	want     want
	texts    []string  // user messages, oldest first
	turn     []Message // messages after the latest user message
	rejected bool      // the user rejected the last request
}

type want int

const (
	wantUnknown want = iota
	wantIntro
	wantEdit
	wantRun
	wantList
	wantStory
	wantReview
	wantPlan
	wantAsk
	wantMemory
)

// intents lists the keywords for each intent, in the window's languages, grouped by rank. The first rank with a match
// wins. Within a rank, the keyword that occurs earliest in the message wins.
var intents = [][]struct {
	want  want
	words *regexp.Regexp
}{
	{{wantStory, anyWord(
		"story", "stories", "stream", "streams", "streaming", "long", "longer",
		"geschichte", "geschichten", "lang", "lange", "langen", "längere", "故事", "长",
	)}},
	{{wantReview, anyWord("review", "reviews", "reviewing", "prüfe", "prüfen", "überprüfe", "überprüfen", "durchsicht", "审查", "审阅")}},
	{{wantPlan, anyWord("plan", "plans", "planning", "steps", "pläne", "plane", "planen", "schritte", "计划", "规划", "步骤")}},
	{{wantAsk, anyWord("ask me", "ask a question", "question", "questions", "frag mich", "frage mich", "frage", "fragen", "提问", "问我", "问题")}},
	{
		{wantEdit, anyWord(
			"fix", "edit", "change", "add", "correct", "replace", "update", "insert", "append", "modify", "rewrite", "typo",
			"behebe", "korrigiere", "berichtige", "verbessere", "ändere", "ändern", "bearbeite", "ergänze", "ersetze", "tippfehler",
			"修复", "修正", "改正", "更正", "修改", "更改", "编辑", "添加", "替换", "更新", "错字",
		)},
		{wantRun, anyWord(
			"run", "test", "tests", "execute", "script", "command",
			"starte", "skript", "befehl", "teste", "führe", "ausführen", "运行", "执行", "测试", "脚本", "命令",
		)},
		{wantList, anyWord(
			"list", "ls", "dir", "files", "folder", "liste", "zeige", "dateien", "ordner", "列出", "文件",
		)},
		{wantMemory, anyWord(
			"remember", "memory", "earlier", "before", "previous", "history", "recall",
			"erinnerst", "erinnere", "vorher", "früher", "gesagt", "记得", "之前", "历史",
		)},
	},
	{{wantIntro, anyWord(
		"hi", "hello", "hey", "help", "who", "start", "begin", "practice", "can you do", "do you do",
		"hallo", "hilfe", "wer", "üben", "übung", "kannst du", "你好", "帮助", "谁", "开始", "练习", "你能",
	)}},
}

// anyWord returns an expression that matches any word in the list. Words of languages
// without spaces match anywhere.
func anyWord(list ...string) *regexp.Regexp {
	var apart, anywhere []string
	for _, word := range list {
		if r, _ := utf8.DecodeRuneInString(word); unicode.Is(unicode.Han, r) {
			anywhere = append(anywhere, word)
		} else {
			apart = append(apart, word)
		}
	}
	// The expression can't use \b, which treats only ASCII characters as letters.
	every := `(?:^|[^\pL\pN_])(?:` + strings.Join(apart, "|") + `)(?:[^\pL\pN_]|$)`
	if len(anywhere) > 0 {
		every += "|" + strings.Join(anywhere, "|")
	}
	return regexp.MustCompile(`(?i)` + every)
}

// intent determines the intent of the latest user message.
func intent(req Request) want {
	text := quoted.ReplaceAllString(strings.Replace(req.User(), commentsHead, "", 1), " ")
	for _, rank := range intents {
		found, at := wantUnknown, len(text)
		for _, w := range rank {
			if m := w.words.FindStringIndex(text); m != nil && m[0] < at {
				found, at = w.want, m[0]
			}
		}
		if found != wantUnknown {
			return found
		}
	}
	return wantUnknown
}

// begin answers a user message.
func (g *conversation) begin() Reply {
	if strings.HasPrefix(g.User(), reviewPrompt) {
		return g.review()
	}
	switch g.want {
	case wantStory:
		return Reply{Text(text("story.md"), storyPace)}
	case wantReview:
		return g.say(text("review.md"))
	case wantPlan:
		return g.look("You want a plan. First I'll look at the file.")
	case wantEdit:
		return g.look("You want a change. First I'll look at the file.")
	case wantRun:
		return g.run("Run the practice script", map[string]string{"bash": "sh " + script(), "powershell": `.\` + script()})
	case wantList:
		return g.run("List the files of the practice folder", map[string]string{"bash": "ls -la", "powershell": "Get-ChildItem"})
	case wantAsk:
		return g.ask()
	case wantMemory:
		return g.memory()
	case wantIntro:
		return g.intro()
	case wantUnknown:
		if len(g.texts) == 1 {
			return g.intro()
		}
	}
	return g.say(text("unknown.md"))
}

func (g *conversation) intro() Reply { return g.say(fmt.Sprintf(text("intro.md"), script())) }

// continueTurn continues the turn after a tool result.
func (g *conversation) continueTurn() Reply {
	result := g.Last().Text
	call := g.lastCall()
	switch call.Name {
	case "view":
		if g.want == wantPlan {
			return g.plan(result)
		}
		return g.edit(result)
	case "edit", "create":
		return g.edited(result)
	case "bash", "powershell":
		return g.ran(result)
	}
	if strings.HasSuffix(call.Name, askUser) {
		return g.answered(result)
	}
	if strings.HasSuffix(call.Name, presentPlan) {
		return g.planned(result)
	}
	return g.say("The agent reports: *" + oneLine(result) + "*")
}

// look asks the agent to read the greeting file, which is the first step both of a plan and of a change.
func (g *conversation) look(thought string) Reply {
	return g.thenCall(thought, "I'll look at `"+greeting+"` first. Reading in this folder doesn't need permission.", "view", map[string]any{"path": g.path()})
}

// typo is the mistake in the greeting file.
const typo = "Helo "

// edit proposes a change to the greeting file. content is the file's current content,
// as returned by the agent's tool.
func (g *conversation) edit(content string) Reply {
	line := "This line was added in practice."
	words := quoted.FindStringSubmatch(g.User())
	if words != nil {
		line = strings.Join(words[1:], "")
	}
	content = plain(content)
	last := lastLine(content)
	review := "review the diff, then **allow** or **reject** it."
	if g.areEditsAllowed() {
		review = "you've allowed edits until this answer ends, so the agent doesn't ask you."
	}
	switch {
	case strings.HasPrefix(content, "Path ") && strings.Contains(content, "does not exist"):
		return g.thenCall("The file is missing. I'll create a new one.", "The file doesn't exist, so I'm creating it: "+review,
			"create", map[string]any{"path": g.path(), "file_text": "Hello from the practice folder!\n" + line + "\n"})
	case last == "":
		return g.say("`" + greeting + "` is empty, and I can only change existing lines. Delete it and ask me again, and I'll create a new one.")
	case strings.Contains(content, typo) && words == nil:
		return g.thenCall("Found the typo: Helo. I'll replace one word.", "There's a typo in the first line. I'm fixing it: "+review,
			"edit", map[string]any{"path": g.path(), "old_str": typo, "new_str": "Hello "})
	default:
		return g.thenCall("I'll add one line at the end.", "I'm adding one line at the end: "+review,
			"edit", map[string]any{"path": g.path(), "old_str": last, "new_str": last + "\n" + line})
	}
}

// edited tells the user the result of a change.
func (g *conversation) edited(result string) Reply {
	report := "The agent reports: *" + oneLine(result) + "*"
	if !strings.Contains(result, "updated") && !strings.Contains(result, "Created") {
		return g.say(report + "\n\nSo nothing was changed. Ask me again and I'll reread the file.")
	}
	report += "\n\n"
	if !g.areEditsAllowed() {
		report += "If you had rejected it, the file wouldn't have changed. "
	}
	return g.say(report + "To take it back now, choose **Undo this turn's changes** below; **Redo** restores it.\n\n" +
		"To see the change line by line, choose **Review** below. There you can comment on a line: I get the comment as a message.\n\n" +
		"Then ask me to **run the script** to see what it prints, or to **add \"any words you like\"** to change it again.")
}

// run requests a command, using whichever shell tool the agent has. commands holds the
// command for each tool.
func (g *conversation) run(description string, commands map[string]string) Reply {
	for _, tool := range []string{"bash", "powershell"} {
		if g.Offers(tool) {
			return g.thenCall("You want to run a command. The agent will ask you first.", "I'm asking to run `"+commands[tool]+"`. It runs only if you **allow** it.",
				tool, map[string]any{"command": commands[tool], "description": description})
		}
	}
	return g.say("The agent doesn't give me a tool for running commands here, so I can't run anything.")
}

// shellEnd matches the line that the agent adds after a command's output.
var shellEnd = regexp.MustCompile(`\n?<[^<>\n]*exit code (-?\d+)>\s*$`)

// ran summarizes a command's output.
func (g *conversation) ran(result string) Reply {
	how := "It finished."
	if m := shellEnd.FindStringSubmatchIndex(result); m != nil {
		how = "It exited with code " + result[m[2]:m[3]] + "."
		result = result[:m[0]]
	}
	out := strings.TrimSpace(result)
	if out == "" {
		return g.say(how + " It printed nothing.")
	}
	lines := strings.Split(out, "\n")
	more := ""
	if len(lines) > 12 {
		more = fmt.Sprintf("\n… and %d more", len(lines)-12)
		lines = lines[:12]
	}
	fence := "```"
	for strings.Contains(out, fence) {
		fence += "`"
	}
	return g.say(fmt.Sprintf("%s Here's what it printed:\n\n%stext\n%s%s\n%s\n\nThe full output is in the command's row above.",
		how, fence, strings.Join(lines, "\n"), more, fence))
}

// memory shows the user that the guide remembers the conversation.
func (g *conversation) memory() Reply {
	if len(g.texts) == 1 {
		return g.say("This is your first message here, so there's nothing to remember yet. From the next one on, the agent sends me the whole conversation each time.")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The agent sends me the whole conversation with each message. This is your message number %d. Before that, you wrote:\n\n", len(g.texts))
	from := max(0, len(g.texts)-6)
	for i, s := range g.texts[from : len(g.texts)-1] {
		fmt.Fprintf(&b, "%d. %s\n", from+i+1, oneLine(s))
	}
	return g.say(b.String())
}

// say answers with s, preceded by a note if the user has just rejected a request.
func (g *conversation) say(s string) Reply { return Reply{Text(g.note()+s, talkPace)} }

func (g *conversation) thenCall(thought, say, tool string, args any) Reply {
	return Reply{Reasoning(thought, talkPace), Text(g.note()+say, talkPace), ToolCall(tool, args)}
}

// note returns the text about a rejected request, or "" if there is none. The text belongs at the start of the next
// turn, because the agent ended the rejected turn without sending the model another request.
func (g *conversation) note() string {
	if !g.rejected || len(g.turn) > 0 {
		return ""
	}
	return "You rejected my request, so nothing was done. Nothing else depends on it, so we can keep going.\n\n"
}

func (g *conversation) path() string { return filepath.Join(g.Cwd(), greeting) }

// lastCall returns the call that the latest result belongs to.
func (g *conversation) lastCall() Call {
	id := g.Last().ToolCallID
	for _, m := range slices.Backward(g.turn) {
		for _, c := range m.Calls {
			if c.ID == id {
				return c
			}
		}
	}
	return Call{}
}

func rejected(m Message) bool {
	return m.Role == "tool" && strings.HasPrefix(m.Text, "The user rejected")
}

// quoted matches text in quotation marks on one line.
var quoted = regexp.MustCompile(`"([^"\n]{1,200})"|“([^”\n]{1,200})”|„([^“”\n]{1,200})[“”]|«([^»\n]{1,200})»`)

// numbered matches the line numbers in the results of the view tool in older versions of the CLI.
var numbered = regexp.MustCompile(`(?m)^\s*\d+\. `)

// plain returns a file's content, given the result of the view tool.
func plain(content string) string {
	if strings.HasPrefix(strings.TrimSpace(content), "1. ") {
		return numbered.ReplaceAllString(content, "")
	}
	return content
}

// lastLine returns the last nonblank line of content. If that line occurs more than once, lastLine also returns as many
// preceding lines as are needed to make the result unique in content.
func lastLine(content string) string {
	content = strings.TrimRight(content, "\r\n\t ")
	at := len(content)
	for at > 0 {
		at = strings.LastIndexByte(content[:at], '\n')
		if part := content[at+1:]; strings.TrimSpace(part) != "" && strings.Count(content, part) == 1 {
			return part
		}
	}
	return content
}

// oneLine returns s on one line, cut to 160 characters.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 160 {
		s = string(r[:160]) + "…"
	}
	return s
}

func text(name string) string {
	b, err := texts.ReadFile("texts/" + name)
	if err != nil {
		panic(err) // embedded; tests cover every name
	}
	return string(b)
}
