package sessionfiles_test

import (
	"encoding/json"
	"testing"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// TestJSONReader_LikeParser checks that the reader for long lines accepts the same JSON values as a parser. It gives
// randomly changed values to the reader in parts.
func TestJSONReader_LikeParser(t *testing.T) {
	seed := chaos.Seed(t)
	values := []string{
		`{"type":"user.message","data":{"content":"a\n\"b\" \u00e9\\","list":[1,-2.5e+3,true,false,null,{},[]]},"id":""}`,
		`[[],{"a":[{"b":{}}]}," ",0]`, ` {"a" : [ 1 , 2 ] } `, `"text"`, `12`, `null`, `{}`,
	}
	const changes = "{}[]\",:\\ \n\x00\x01u0atfn-1.é\xff"
	valid := 0
	for round := range 20_000 {
		r := chaos.Rand(t, seed, round)
		b := []byte(values[r.IntN(len(values))])
		for range r.IntN(3) {
			at := r.IntN(len(b))
			switch r.IntN(3) {
			case 0:
				b[at] = changes[r.IntN(len(changes))]
			case 1:
				b = append(b[:at:at], b[at+1:]...)
			case 2:
				b = append(b[:at:at], append([]byte{changes[r.IntN(len(changes))]}, b[at:]...)...)
			}
			if len(b) == 0 {
				b = []byte(" ")
			}
		}
		cut := r.IntN(len(b) + 1)
		got, want := sessionfiles.IsJSON(b[:cut], b[cut:]), json.Valid(b)
		if want {
			valid++
		}
		// The form of numbers isn't checked.
		if got != want && !(got && hasOddNumber(b)) {
			t.Fatalf("got %t for %q", got, b)
		}
	}
	if valid < 5000 {
		t.Errorf("only %d values were valid", valid)
	}
}

// hasOddNumber reports whether b would be valid JSON if each sequence of characters that occur in numbers were a number.
func hasOddNumber(b []byte) bool {
	var out []byte
	inText, number := false, false
	for i := 0; i < len(b); i++ {
		c := b[i]
		isNumber := !inText && (c >= '0' && c <= '9' || number && (c == 'e' || c == 'E' || c == '.' || c == '+' || c == '-') || c == '-')
		if isNumber && !number {
			out = append(out, '1')
		}
		if number = isNumber; number {
			continue
		}
		out = append(out, c)
		switch {
		case c == '"':
			inText = !inText
		case c == '\\' && inText && i+1 < len(b):
			i++
			out = append(out, b[i])
		}
	}
	return json.Valid(out)
}

// TestWorkspace_LikeTheCLI checks which files count as damaged. The real CLI 1.0.102 accepts and rejects the same
// files.
func TestWorkspace_LikeTheCLI(t *testing.T) {
	const good = "id: 0cd2575d-d593-4ec5-bc0e-fc0862cc248f\ncwd: /work\nclient_name: github/cli\nname: Hi there\nuser_named: false\ncreated_at: 2026-11-30T03:28:03.641Z\n"
	for text, want := range map[string]struct {
		name, folder string
		valid        bool
	}{
		good:                                {"Hi there", "/work", true},
		"# x\n" + good + "\n\n":             {"Hi there", "/work", true},
		good + "foo: bar\n":                 {"Hi there", "/work", true},
		"id: x\r\ncwd: C:\\work\r\n":        {"", `C:\work`, true},
		"id: x\nname: |-\n  Hi\n  there\n":  {"Hi", "", true},
		"id: x\nname: \"a: \\\"b\\\" \\n\"": {"a: \"b\" \n", "", true},
		"id: x\nname: 'it''s'\n":            {"it's", "", true},
		"id: x\nname: \xff\n":               {"\xff", "", true},
		"":                                  {},
		"5\n":                               {},
		"id: 5\n":                           {},
		"cwd: /work\nname: x\n":             {"x", "/work", false},
		"- a\n- b\n":                        {},
		"\t" + good:                         {},
		good + "\x00":                       {},
		good + "name: b\n":                  {},
		"\ufeff" + good:                     {},
		"id: x\nname: \"Hi\n":               {},
		"id: x\nname: a: b\n":               {},
		"{: [nonsense":                      {},
	} {
		name, folder, valid := sessionfiles.IsWorkspace(text)
		if valid != want.valid || valid && (name != want.name || folder != want.folder) {
			t.Errorf("%q: got %q, %q, %t", text, name, folder, valid)
		}
	}
}
