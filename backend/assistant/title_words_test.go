package assistant_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend/assistant"
)

// titles holds realistic first messages and the titles expected for them.
var titles = []struct{ text, want string }{
	// English
	{"Fix the race", "Fix the race"},
	{"hi", "Hi"},
	{"please fix the flaky upload test", "Fix the flaky upload test"},
	{"Can you please fix the flaky upload test? It fails every Friday.", "Fix the flaky upload test"},
	{"Hi there! Could you help me refactor internal/auth/refresh.go so that it holds the lock?", "Refactor refresh.go"},
	{"Hello Copilot,\n\nI would like you to add a dark mode toggle to the settings page.", "Add a dark mode toggle"},
	{"Why does the upload test fail only on Fridays?", "Why does the upload test fail"},
	{"explain how this folder is organized", "Explain how this folder is organized"},
	{"Look at @internal/auth/refresh.go and tell me what is wrong", "Look at refresh.go"},
	{"Summarize https://github.com/acme/orbit/issues/15 please", "Summarize github.com"},
	{"Refactor main.go. Then commit everything to git.", "Refactor main.go, then commit everything"},
	{"I need to migrate the database from MySQL to Postgres, without downtime", "Migrate database from MySQL to Postgres"},
	{"When the page reloads, the list of chats is empty", "List of chats is empty"},
	{"go test ./... fails with exit code 1, fix it", "Go test ./... fails with exit"},
	{"FIX THE BUILD NOW", "Fix the build now"},
	{"- [ ] rename `parseConfig` to `loadConfig` everywhere", "Rename parseConfig to loadConfig"},
	{"## Fix  the\trace\nplease", "Fix the race"},
	{"1. Update dependencies\n2. Run the tests\n3. Commit", "Update dependencies, run the tests"},
	{"```go\nfunc main() {\n\tpanic(1)\n}\n```\nWhat does this do?", "What does this do"},
	{"```go\nfunc main() {}\n```", "func main() {}"},
	{"panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:", "Panic: runtime error: index"},
	{"/plan add OAuth sign-in to the API server", "Add OAuth sign-in to API server"},
	{"/compact", "/compact"},
	{"Bump the version to 1.2.3 and write the changelog", "Bump the version to 1.2.3"},
	{"what's the difference between a mutex and a channel", "What's the difference between a mutex"},
	{"Fix this:\nTypeError: Cannot read properties of undefined (reading 'map')", "TypeError: Cannot read properties"},
	{"i'd like to understand why useEffect runs twice in dev", "Understand why useEffect runs twice"},
	{"Add a test for C:\\Users\\anna\\code\\orbit\\main_test.go", "Add a test for main_test.go"},
	{"Use e.g. zod to validate the request body", "Use e.g. zod to validate"},
	{"main.go does not compile", "main.go does not compile"},
	{"edit VERSION 0 -> 9", "Edit VERSION 0 -> 9"},
	{"Make `greet` polite and give an empty name an answer, too.", "Make greet polite"},
	{"Thanks! Now also update the docs", "Update the docs"},
	{strings.Repeat("word ", 40), "Word word word word word word"},
	{strings.Repeat("é", 100), "Ééééééééééééééééééééééééééééééééééééééé…"},
	{"###", "New chat"},
	{"👍", "👍"},
	// German
	{"Hallo, kannst du bitte die Tests reparieren?", "Tests reparieren"},
	{"Bitte schreibe einen Test für die Anmeldung", "Schreibe einen Test für die Anmeldung"},
	{"Könntest du mir erklären, warum der Build in der CI fehlschlägt?", "Erklären, warum der Build"},
	{"Ich möchte, dass du die Datenbank von MySQL auf Postgres umstellst.", "Datenbank von MySQL auf Postgres"},
	{"Guten Morgen! Ich brauche eine Übersicht der offenen Aufgaben", "Übersicht der offenen Aufgaben"},
	{"Die Uhr im Kopf des Blocks ist verdeckt, bitte beheben", "Uhr im Kopf des Blocks"},
	{"Behebe den Fehler in src/components/header/Header.tsx, weil er die Uhr verdeckt", "Behebe den Fehler in Header.tsx"},
	{"Warum dauert das Starten der Anwendung so lange?", "Warum dauert das Starten der Anwendung"},
	{"Füge der Einstellungsseite z.B. einen Schalter für den Dunkelmodus hinzu", "Füge der Einstellungsseite"},
	{"Warum schlägt der Upload-Test nur freitags fehl?", "Warum schlägt der Upload-Test"},
	{"Was macht dieses Skript eigentlich?", "Was macht dieses Skript eigentlich"},
	// Chinese
	{"你好，请帮我修复令牌刷新的竞争条件", "修复令牌刷新的竞争条件"},
	{"请问为什么上传测试只在星期五失败？", "为什么上传测试只在星期五失败"},
	{"能不能给设置页面添加一个深色模式的开关，谢谢", "给设置页面添加一个深色模式"},
	{"帮我重构 internal/auth/refresh.go，让它持有锁", "重构 refresh.go"},
	{"解释一下这个文件夹的结构", "解释一下这个文件夹的结构"},
	{"运行所有测试，然后提交", "运行所有测试"},
	{"我想把数据库从 MySQL 迁移到 Postgres，不要停机", "把数据库从 MySQL 迁移"},
	{"你好", "你好"},
	{"写一个 README", "写一个 README"},
}

func TestTitle_FirstMessage(t *testing.T) {
	for _, c := range titles {
		if got := assistant.Title(c.text); got != c.want {
			t.Errorf("got %q, want %q, of %q", got, c.want, c.text)
		}
	}
}

// TestTitle_Bounds checks that the title of an arbitrary message is a single line of valid text that is neither empty
// nor too long.
func TestTitle_Bounds(t *testing.T) {
	texts := []string{"\u202e", "```", "~~~\n~~~", "。。。", "https://", "@", "please please please", "(", strings.Repeat("请", 3000), strings.Repeat("bitte ", 3000)}
	for _, c := range titles {
		texts = append(texts, c.text)
		for n := range c.text {
			texts = append(texts, c.text[:n], c.text[n:])
		}
	}
	for _, text := range texts {
		got := assistant.Title(text)
		han := strings.IndexFunc(got, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0
		if got == "" || !utf8.ValidString(got) || utf8.RuneCountInString(got) > 40 || !han && len(strings.Fields(got)) > 6 || strings.TrimSpace(got) != got {
			t.Errorf("got %q, of %q", got, text)
		}
		if utf8.ValidString(text) && strings.ContainsAny(got, "\n\t") {
			t.Errorf("got %q with white space, of %q", got, text)
		}
	}
}
