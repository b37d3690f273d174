package workspace

import (
	"strings"
)

// ignoreRule is a line of a .gitignore. Matching a name takes at most as many steps as the size of the rule
// times the size of the name, whatever the rule contains: a malicious repository must not keep VoxPilot
// busy.
type ignoreRule struct {
	not      bool    // starts with "!": matching names aren't ignored
	folders  bool    // matches folders only
	anywhere bool    // has no slash: is matched with the last element of a path
	below    string  // folder of its file, with a trailing slash; "" is the root
	parts    []parts // one per path element; nil matches any number of them
}

// parts is the pattern of one path element.
type parts []part

// part is one part of such a pattern: a byte, a wildcard or a class.
type part struct {
	kind byte       // one of the constants below
	char byte       // of partChar
	set  *[4]uint64 // of partSet: the bytes in the class, one bit each
}

const (
	partChar byte = iota // one particular byte
	partAny              // "?": any byte
	partStar             // "*": any number of bytes
	partSet              // "[…]": a byte in a class
)

// maxRules is the number of bytes at the start of a .gitignore that are parsed.
const maxRules = 64 << 10

// ignoreRules returns the rules in text, which is the content of a .gitignore. The parameter dir is the path of the
// folder that contains it: "." or a path with slashes.
func ignoreRules(dir string, text []byte) (rules []ignoreRule) {
	below := ""
	if dir != "." {
		below = dir + "/"
	}
	for line := range strings.Lines(string(text[:min(len(text), maxRules)])) {
		if rule, ok := ignoreRuleOf(strings.TrimRight(line, "\r\n")); ok {
			rule.below = below
			rules = append(rules, rule)
		}
	}
	return rules
}

// ignoreRuleOf parses a line. ok is false if it contains no rule.
func ignoreRuleOf(line string) (rule ignoreRule, ok bool) {
	line = trimSpaces(line)
	if line == "" || line[0] == '#' {
		return rule, false
	}
	if rest, is := strings.CutPrefix(line, "!"); is {
		rule.not, line = true, rest
	}
	if rest, is := strings.CutSuffix(line, "/"); is {
		rule.folders, line = true, rest
	}
	rule.anywhere = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule, false
	}
	for _, name := range namesIn(line) {
		if len(name) > 1 && strings.Trim(name, "*") == "" {
			if !rule.anywhere {
				if n := len(rule.parts); n == 0 || rule.parts[n-1] != nil {
					rule.parts = append(rule.parts, nil)
				}
				continue
			}
			name = "*"
		}
		of, ok := partsOf(name)
		if !ok {
			return rule, false
		}
		rule.parts = append(rule.parts, of)
	}
	return rule, true
}

// namesIn splits a rule at the slashes that aren't escaped or inside a class. A class with a slash belongs to one
// element, although no name contains a slash.
func namesIn(line string) (names []string) {
	begin := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '/':
			names = append(names, line[begin:i])
			begin = i + 1
		case '\\':
			i++
		case '[':
			_, length := classOf(line[i:])
			if length == 0 {
				return append(names, line[begin:]) // matches nothing
			}
			i += length - 1
		}
	}
	return append(names, line[begin:])
}

// trimSpaces removes trailing spaces, unless they are escaped.
func trimSpaces(line string) string {
	short := strings.TrimRight(line, " ")
	if escapes := len(short) - len(strings.TrimRight(short, `\`)); escapes%2 == 1 && len(short) < len(line) {
		short += " "
	}
	return short
}

// partsOf parses the pattern of a path element. ok is false if the pattern matches nothing; otherwise, the result
// isn't nil, even if the pattern is empty.
func partsOf(pattern string) (of parts, ok bool) {
	of = make(parts, 0, len(pattern))
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '*':
			if n := len(of); n == 0 || of[n-1].kind != partStar {
				of = append(of, part{kind: partStar})
			}
		case '?':
			of = append(of, part{kind: partAny})
		case '[':
			set, length := classOf(pattern[i:])
			if set == nil {
				return nil, false
			}
			of = append(of, part{kind: partSet, set: set})
			i += length - 1
		case '\\':
			if i++; i == len(pattern) {
				return nil, false
			}
			of = append(of, part{char: pattern[i]})
		default:
			of = append(of, part{char: c})
		}
	}
	return of, true
}

// classOf parses the character class at the start of pattern and returns the set and
// the length of the class. The set is nil if the class is invalid.
func classOf(pattern string) (set *[4]uint64, length int) {
	i, not := 1, false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		not = true
		i++
	}
	set = &[4]uint64{}
	add := func(from, to byte) {
		for c := int(from); c <= int(to); c++ {
			set[c/64] |= 1 << (c % 64)
		}
	}
	for begin := i; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == ']' && i > begin:
			if not {
				for n := range set {
					set[n] = ^set[n]
				}
			}
			return set, i + 1
		case c == '[' && i+1 < len(pattern) && pattern[i+1] == ':':
			name, _, ends := strings.Cut(pattern[i+2:min(len(pattern), i+2+maxClassName)], ":]")
			ranges, known := classes[name]
			if !ends || !known {
				return nil, 0
			}
			for n := 0; n < len(ranges); n += 2 {
				add(ranges[n], ranges[n+1])
			}
			i += len(name) + 3
			continue
		case c == '\\':
			if i++; i == len(pattern) {
				return nil, 0
			}
			c = pattern[i]
		}
		add(c, c)
		to := c
		if i+2 < len(pattern) && pattern[i+1] == '-' && pattern[i+2] != ']' {
			if i += 2; pattern[i] == '\\' {
				if i++; i == len(pattern) {
					return nil, 0
				}
			}
			to = pattern[i]
		}
		add(c, to)
	}
	return nil, 0
}

// classes maps the names of character classes, such as digit in [[:digit:]], to their ranges. Each range is a pair of
// characters: the first and the last.
var classes = map[string]string{
	"alnum": "09AZaz", "alpha": "AZaz", "blank": "\t\t  ", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~",
	"lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
}

// maxClassName exceeds the length of every class name with its terminator.
const maxClassName = 10

// ignored reports whether the rules exclude the file or folder with the given slash-separated name. The
// last matching rule decides.
func ignored(rules []ignoreRule, name string, folder bool) bool {
	m := matcher{}
	return m.ignored(rules, name, folder)
}

// matcher matches names against rules and counts its steps, for tests.
type matcher struct{ steps int }

func (m *matcher) ignored(rules []ignoreRule, name string, folder bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		rule := &rules[i]
		m.steps++
		rest, is := strings.CutPrefix(name, rule.below)
		if !is || rule.folders && !folder {
			continue
		}
		if rule.anywhere && m.name(rule.parts[0], rest[strings.LastIndexByte(rest, '/')+1:]) ||
			!rule.anywhere && m.path(rule.parts, strings.Split(rest, "/")) {
			return !rule.not
		}
	}
	return false
}

// path reports whether the path elements match the rule. On a mismatch, only the last "**" is extended
// by one element and retried, since extending an earlier one couldn't match anything more.
func (m *matcher) path(rule []parts, names []string) bool {
	i, any, from := 0, -1, 0
	for j := 0; j < len(names); {
		m.steps++
		switch {
		case i < len(rule) && rule[i] == nil:
			if i == len(rule)-1 {
				return true // everything in a folder
			}
			any, from = i, j
			i++
		case i < len(rule) && m.name(rule[i], names[j]):
			i, j = i+1, j+1
		case any >= 0:
			from++
			i, j = any+1, from
		default:
			return false
		}
	}
	return i == len(rule)
}

// name reports whether one path element matches the parts, using the same algorithm as path.
func (m *matcher) name(of parts, name string) bool {
	i, star, from := 0, -1, 0
	for j := 0; j < len(name); {
		m.steps++
		switch {
		case i < len(of) && of[i].kind == partStar:
			star, from = i, j
			i++
		case i < len(of) && of[i].is(name[j]):
			i, j = i+1, j+1
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(of) && of[i].kind == partStar {
		i++
	}
	return i == len(of)
}

func (p part) is(c byte) bool {
	switch p.kind {
	case partAny:
		return true
	case partSet:
		return p.set[c/64]&(1<<(c%64)) != 0
	}
	return p.kind == partChar && p.char == c
}

// IgnoreRules are the rules of .gitignore files. The zero value has no rules. Later rules take
// precedence.
type IgnoreRules struct{ rules []ignoreRule }

// With returns r extended by the rules in text, which is the content of a .gitignore. The parameter dir is the path of
// the folder that contains it: "." or a path with slashes.
func (r IgnoreRules) With(dir string, text []byte) IgnoreRules {
	return IgnoreRules{append(r.rules[:len(r.rules):len(r.rules)], ignoreRules(dir, text)...)}
}

// Match reports whether the rules exclude the file or folder with the given slash-separated path. It
// doesn't check the folders above it.
func (r IgnoreRules) Match(path string, folder bool) bool { return ignored(r.rules, path, folder) }
