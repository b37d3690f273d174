package diff

import "testing"

func TestUndo_ReadsStrictly(t *testing.T) {
	t.Parallel()
	const head = "--- f\n+++ f\n"
	for name, c := range map[string]struct {
		diff, now string
		was       string // "?" means none
	}{
		"a hunk":                            {head + "@@ -1 +1 @@\n-a\n+b\n", "b\n", "a\n"},
		"two hunks":                         {head + "@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-c\n+d\n", "b\nx\nd\n", "a\nx\nc\n"},
		"no head of a file":                 {"@@ -1 +1 @@\n-a\n+b\n", "b\n", "a\n"},
		"no newline at the end":             {head + "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", "b", "a"},
		"the last line without its end":     {head + "@@ -1 +1 @@\n-a\n+b", "b\n", "a\n"},
		"line ends of Windows":              {head + "@@ -1 +1 @@\n-a\r\n+b\r\n", "b\r\n", "a\r\n"},
		"an empty line without its space":   {head + "@@ -1,2 +1,2 @@\n\n-a\n+b\n", "\nb\n", "\na\n"},
		"a line that looks like a head":     {head + "@@ -1 +1 @@\n--- a\n+b\n", "b\n", "-- a\n"},
		"a hunk with too few lines":         {head + "@@ -1,2 +1,2 @@\n-a\n+b\n", "b\n", "?"},
		"too few lines before another":      {head + "@@ -1,2 +1,2 @@\n-a\n+b\n@@ -3 +3 @@\n-c\n+d\n", "b\nx\nd\n", "?"},
		"a hunk with too many lines":        {head + "@@ -1 +1 @@\n-a\n+b\n+c\n", "b\nc\n", "?"},
		"an empty line behind it":           {head + "@@ -1 +1 @@\n-a\n+b\n\n", "b\n", "?"},
		"words behind it":                   {head + "@@ -1 +1 @@\n-a\n+b\nIndex: g\n", "b\n", "?"},
		"a line without a sign":             {head + "@@ -1,2 +1,2 @@\n-a\nc\n+b\n", "b\nc\n", "?"},
		"a lone return":                     {head + "@@ -1,2 +1,2 @@\n\r\n-a\n+b\n", "\r\nb\n", "?"},
		"something else behind a backslash": {head + "@@ -1 +1 @@\n-a\n+b\n\\ more\n", "b", "?"},
		"the end of the file twice":         {head + "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n\\ No newline at end of file\n", "b", "?"},
		"a line behind the end of the file": {head + "@@ -1 +1,2 @@\n-a\n+b\n\\ No newline at end of file\n+c\n", "b\nc\n", "?"},
		"a head that is none":               {head + "@@ -1 +1 @@\n-a\n+b\n@@ more\n", "b\n", "?"},
		"no hunk":                           {head, "", "?"},
	} {
		was, ok := Undo([]byte(c.now), []byte(c.diff))
		if !ok {
			was = []byte("?")
		}
		if string(was) != c.was {
			t.Errorf("%s: got %q, want %q", name, was, c.was)
		}
	}
}

// TestReplacements_MatchDisplay checks that a hunk with fewer lines than its header
// declares still yields a replacement, because the hunk is shown too.
func TestReplacements_MatchDisplay(t *testing.T) {
	t.Parallel()
	for hunks, want := range map[string]Replacement{
		"@@ -1 +1 @@\n-a\n+b":                                    {"a", "b"},
		"@@ -1,9 +1,9 @@\n-a\n+b":                                {"a", "b"},
		"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b":      {"a", "b"},
		"@@ -1,3 +1,3 @@\n x\n-a\n+b\n":                          {"x\na\n", "x\nb\n"},
		"@@ -1,2 +1 @@\n-a\n-\n\\ No newline at end of file\n+b": {"a\n", "b"},
	} {
		if got := replacements(hunks); len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %q, want %q", hunks, got, want)
		}
	}
	if got := replacements(""); got == nil || len(got) > 0 {
		t.Errorf("got %v, want none but not nil, which would allow every write", got)
	}
}
