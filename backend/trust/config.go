package trust

import (
	"regexp"
	"slices"
	"strings"
)

// setting is one key of a git configuration with its value.
type setting struct {
	section, sub, variable string // section and variable are lower-case
	value                  string
	bare                   bool // has no value, which means true
}

// name returns the key as written by git.
func (s setting) name() string {
	if s.sub == "" {
		return s.section + "." + s.variable
	}
	return s.section + "." + s.sub + "." + s.variable
}

// key returns the entry in GitKeys that matches the setting, or "" if there is none.
func (s setting) key() string {
	for _, k := range GitKeys {
		section, rest, _ := strings.Cut(k, ".")
		if section != s.section {
			continue
		}
		dot := strings.LastIndexByte(rest, '.')
		if dot < 0 && s.sub == "" && (rest == s.variable || rest == "*") || dot >= 0 && rest[dot+1:] == s.variable && s.isIn(rest[:dot]) {
			return k
		}
	}
	if s.section == "alias" || s.section == "pager" { // newer form with a subsection
		return s.section + ".*"
	}
	return ""
}

// isIn reports whether the setting's subsection matches sub, the subsection of an entry
// in GitKeys: a name, "*" for any, or a prefix followed by "*".
func (s setting) isIn(sub string) bool {
	before, star := strings.CutSuffix(sub, "*")
	if !star {
		return strings.EqualFold(sub, s.sub)
	}
	return len(s.sub) > len(before) && strings.EqualFold(before, s.sub[:len(before)])
}

var (
	// boolean lists the values that can't name a program, because git reads them as true or false.
	boolean = []string{"", "true", "false", "yes", "no", "on", "off", "1", "0"}
	// helper matches a URL for which git runs a remote helper, such as a URL that starts with "ext::".
	helper = regexp.MustCompile(`^\s*[A-Za-z0-9+.-]*::`)
)

// runs reports whether the setting can make git run a program, read another configuration file, use another
// remote or allow a transport protocol.
func (s setting) runs() bool {
	key, value := s.key(), strings.TrimSpace(s.value)
	switch key {
	case "":
		return false
	case "core.fsmonitor", "pager.*":
		return !s.bare && !slices.Contains(boolean, strings.ToLower(value))
	case "alias.*", "submodule.*.update":
		return strings.HasPrefix(value, "!") || strings.HasPrefix(value, "-")
	case "remote.*.url", "remote.*.pushurl", "submodule.*.url":
		return helper.MatchString(value) || strings.HasPrefix(value, "-")
	case "protocol.allow", "protocol.*.allow":
		return value != "never"
	}
	return value != ""
}

// parseConfig parses a git configuration file as git does. It returns false if git
// would reject the file.
func parseConfig(text string) (out []setting, ok bool) {
	text = strings.TrimPrefix(text, "\uFEFF")
	section, sub, in := "", "", false
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
		case c == '#' || c == ';':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '[':
			if section, sub, i, ok = parseSection(text, i+1); !ok {
				return nil, false
			}
			in = true
		case isLetter(c) && in:
			from := i
			for i < len(text) && (isLetter(text[i]) || text[i] >= '0' && text[i] <= '9' || text[i] == '-') {
				i++
			}
			s := setting{section: section, sub: sub, variable: strings.ToLower(text[from:i])}
			for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
				i++
			}
			switch {
			case i == len(text) || text[i] == '\n' || strings.HasPrefix(text[i:], "\r\n"):
				s.bare = true
			case text[i] == '=':
				if s.value, i, ok = parseValue(text, i+1); !ok {
					return nil, false
				}
			case text[i] == '#' || text[i] == ';':
				s.bare = true
			default:
				return nil, false
			}
			out = append(out, s)
		default:
			return nil, false
		}
	}
	return out, true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// parseSection parses a section header such as [core] or [filter "x"], starting after
// its opening bracket.
func parseSection(text string, i int) (section, sub string, next int, ok bool) {
	from := i
	for i < len(text) && (isLetter(text[i]) || text[i] >= '0' && text[i] <= '9' || text[i] == '-' || text[i] == '.') {
		i++
	}
	section = strings.ToLower(text[from:i])
	if i < len(text) && text[i] == ']' {
		section, sub, _ = strings.Cut(section, ".")
		return section, sub, i + 1, section != ""
	}
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	if i == len(text) || text[i] != '"' || section == "" {
		return "", "", i, false
	}
	var b strings.Builder
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\n' {
			return "", "", i, false
		}
		if text[i] == '\\' {
			if i++; i == len(text) {
				return "", "", i, false
			}
		}
		b.WriteByte(text[i])
	}
	if i+1 >= len(text) || text[i+1] != ']' {
		return "", "", i, false
	}
	return section, b.String(), i + 2, true
}

// parseValue parses a value up to the end of its line, with quotes, escapes, comments
// and continuation lines.
func parseValue(text string, i int) (value string, next int, ok bool) {
	var b strings.Builder
	quoted, blanks := false, 0
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\n':
			return b.String(), i + 1, !quoted
		case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
		case !quoted && (c == ' ' || c == '\t'):
			if b.Len() > 0 {
				blanks++
			}
			continue
		case !quoted && (c == '#' || c == ';'):
			for i < len(text) && text[i] != '\n' {
				i++
			}
			return b.String(), i, true
		case c == '\\':
			i++
			if i == len(text) {
				return "", i, false
			}
			if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			at := strings.IndexByte("\ntbn\"\\", text[i])
			if at < 0 {
				return "", i, false
			}
			for ; blanks > 0; blanks-- {
				b.WriteByte(' ')
			}
			if at > 0 {
				b.WriteByte("\x00\t\b\n\"\\"[at])
			}
		case c == '"':
			quoted = !quoted
		default:
			for ; blanks > 0; blanks-- {
				b.WriteByte(' ')
			}
			b.WriteByte(c)
		}
	}
	return b.String(), i, !quoted
}
