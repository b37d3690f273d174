package sessionfiles

// jsonReader checks whether bytes, which it receives in parts, are one JSON value. It needs no memory for the value
// itself. Unlike a parser, it doesn't check the form of numbers. Its zero value is ready to use.
type jsonReader struct {
	open     []byte // the brackets that are open
	state    jsonState
	escape   int  // 1 after a backslash; 2 to 5 in front of a hexadecimal digit, the last one being 5
	key      bool // the string is the name of a field
	word     string
	hasValue bool // the whole value is complete, or is a number that may continue
	failed   bool
}

type jsonState int

const (
	jsonValue    jsonState = iota // a value follows
	jsonFirst                     // a value or the end of the array follows
	jsonFirstKey                  // a field name or the end of the object follows
	jsonKey                       // a field name follows
	jsonColon
	jsonNext // a comma or the closing bracket follows
	jsonText
	jsonWord // the rest of true, false or null follows
	jsonNumber
)

// maxJSONDepth is the maximum number of brackets that may be open.
const maxJSONDepth = 10_000

// isValid reports whether the bytes so far are one JSON value.
func (r *jsonReader) isValid() bool { return !r.failed && r.hasValue && len(r.open) == 0 }

func (r *jsonReader) write(part []byte) {
	for _, c := range part {
		if r.failed {
			return
		}
		switch r.state {
		case jsonText:
			r.inText(c)
		case jsonWord:
			if r.word == "" || c != r.word[0] {
				r.failed = true
			} else if r.word = r.word[1:]; r.word == "" {
				r.endValue()
			}
		case jsonNumber:
			if c >= '0' && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-' {
				continue
			}
			r.endValue()
			r.between(c)
		case jsonValue, jsonFirst, jsonFirstKey, jsonKey, jsonColon, jsonNext:
			r.between(c)
		}
	}
}

// inText reads a character of a string.
func (r *jsonReader) inText(c byte) {
	const lastDigit = 5
	switch {
	case r.escape == 1 && c == 'u':
		r.escape = 2
	case r.escape == 1:
		r.escape, r.failed = 0, !isOneOf(c, `"\/bfnrt`)
	case r.escape > 1:
		r.failed = !isOneOf(c, "0123456789abcdefABCDEF")
		if r.escape++; r.escape > lastDigit {
			r.escape = 0
		}
	case c == '\\':
		r.escape = 1
	case c < ' ':
		r.failed = true
	case c == '"' && r.key:
		r.state = jsonColon
	case c == '"':
		r.endValue()
	}
}

// between reads a character that isn't part of a string, word or number.
func (r *jsonReader) between(c byte) {
	if isOneOf(c, " \t\r\n") {
		return
	}
	inside := byte(0)
	if len(r.open) > 0 {
		inside = r.open[len(r.open)-1]
	}
	switch {
	case r.hasValue && inside == 0:
		r.failed = true // something after the value
	case r.state == jsonNext && c == ',' && inside == '{':
		r.state = jsonKey
	case r.state == jsonNext && c == ',':
		r.state = jsonValue
	case c == '}' && inside == '{' && (r.state == jsonNext || r.state == jsonFirstKey),
		c == ']' && inside == '[' && (r.state == jsonNext || r.state == jsonFirst):
		r.open = r.open[:len(r.open)-1]
		r.endValue()
	case r.state == jsonColon && c == ':':
		r.state = jsonValue
	case (r.state == jsonKey || r.state == jsonFirstKey) && c == '"':
		r.state, r.key = jsonText, true
	case r.state == jsonValue || r.state == jsonFirst:
		r.startValue(c)
	default:
		r.failed = true
	}
}

func (r *jsonReader) startValue(c byte) {
	switch c {
	case '{', '[':
		r.failed = len(r.open) >= maxJSONDepth
		r.open = append(r.open, c)
		r.state = jsonFirst
		if c == '{' {
			r.state = jsonFirstKey
		}
	case '"':
		r.state, r.key = jsonText, false
	case 't':
		r.state, r.word = jsonWord, "rue"
	case 'f':
		r.state, r.word = jsonWord, "alse"
	case 'n':
		r.state, r.word = jsonWord, "ull"
	default:
		r.state, r.failed = jsonNumber, c != '-' && (c < '0' || c > '9')
		r.hasValue = r.hasValue || len(r.open) == 0
	}
}

// endValue records that a value is complete.
func (r *jsonReader) endValue() {
	r.state = jsonNext
	r.hasValue = len(r.open) == 0
}

func isOneOf(c byte, set string) bool {
	for i := range len(set) {
		if set[i] == c {
			return true
		}
	}
	return false
}
