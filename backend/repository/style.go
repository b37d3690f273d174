package repository

import (
	"context"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// styleCommits is the number of commits whose subjects determine the style.
const styleCommits = 20

// style is the style of the subjects in a repository's log.
type style struct {
	conventional bool   // "fix(area): text"
	scoped       bool   // most subjects in the form of conventional commits have a scope
	area         bool   // "area: text"
	full         bool   // areas are whole paths, such as "backend/undo"
	ticket       string // start of the subject, such as "ABC-12 ", taken from the branch's name
	capital      bool   // the text starts with a capital letter
	period       bool   // the text ends with a period
	verbs        func(verb string) string
}

var (
	conventional = regexp.MustCompile(`^(?:feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert)(\([^)]*\))?!?: +`)
	areaPrefix   = regexp.MustCompile(`^([\w./{}*+-]+(?:, [\w./{}*+-]+)*): +`)
	ticketPrefix = regexp.MustCompile(`^(\[?)([A-Z][A-Z0-9]+-\d+)(\]?:?) +`)
	ticketName   = regexp.MustCompile(`(?i)(?:^|[/_-])([A-Z][A-Z0-9]+-\d+)`)
)

// style returns the style shared by most of the latest commits, the newest of which has the hash head.
func (r *repo) style(ctx context.Context, head string) style {
	var subjects []string
	if head != "" {
		out := r.line(ctx, "log", "--no-show-signature", "--no-merges", "--max-count=20", "--format=%s", head, "--")
		subjects = strings.Split(out, "\n")
	}
	return styleOf(subjects, r.branch(ctx))
}

func styleOf(subjects []string, branch string) (s style) {
	var n, conv, scoped, area, slashed, ticket, capital, period, past, third int
	var before, after string
	for _, subject := range subjects[:min(len(subjects), styleCommits)] {
		if subject == "" {
			continue
		}
		n++
		text := subject
		if m := ticketPrefix.FindStringSubmatch(text); m != nil {
			ticket++
			before, after, text = m[1], m[3], text[len(m[0]):]
		}
		if m := conventional.FindStringSubmatch(text); m != nil {
			conv++
			if m[1] != "" {
				scoped++
			}
			text = text[len(m[0]):]
		} else if m := areaPrefix.FindStringSubmatch(text); m != nil {
			area++
			if strings.Contains(m[1], "/") {
				slashed++
			}
			text = text[len(m[0]):]
		}
		if first, _ := utf8.DecodeRuneInString(text); unicode.IsUpper(first) {
			capital++
		}
		if strings.HasSuffix(text, ".") {
			period++
		}
		word := strings.ToLower(strings.SplitN(text, " ", 2)[0])
		switch {
		case strings.HasSuffix(word, "ed"):
			past++
		case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
			third++
		}
	}
	most := func(count int) bool { return n > 0 && 2*count > n }
	s.conventional, s.scoped = most(conv), 2*scoped > conv
	s.area, s.full = most(area), 2*slashed > area
	s.capital, s.period = most(capital) || n == 0, most(period)
	if m := ticketName.FindStringSubmatch(branch); m != nil && most(ticket) {
		s.ticket = before + strings.ToUpper(m[1]) + after + " "
	}
	switch {
	case most(past):
		s.verbs = pastTense
	case most(third):
		s.verbs = func(verb string) string { return verb + "s" }
	default:
		s.verbs = func(verb string) string { return verb }
	}
	return s
}

// pastTense returns the past tense of a regular verb. The verbs in suggestions are regular.
func pastTense(verb string) string {
	if strings.HasSuffix(verb, "e") {
		return verb + "d"
	}
	return verb + "ed"
}

// message returns a commit message in the style s for the summarized changes. If the actions don't fit in the subject,
// the body lists them.
func (s style) message(of summary) string {
	prefix, area := s.prefix(of)
	actions := of.actions(area)
	var all []string
	for _, a := range actions {
		all = append(all, s.verbs(a[0])+" "+a[1])
	}
	text, body := strings.Join(all, ", "), ""
	if utf8.RuneCountInString(prefix+text) > maxSubject && len(all) > 1 {
		total := of.list(of.paths(), area)
		text = s.verbs("update") + " " + total
		body = "\n\n- " + strings.Join(all, "\n- ")
	}
	if s.capital {
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if s.period {
		text += "."
	}
	return excerpt.FirstLine(strings.ToValidUTF8(prefix+text, "\uFFFD"), 2*maxSubject) + body
}

// prefix returns the prefix of a commit subject for the summarized changes, such as "fix(undo): ", and the area that
// the prefix names.
func (s style) prefix(of summary) (prefix, area string) {
	dir := of.folder()
	area = path.Base(dir)
	if s.full {
		area = dir
	}
	switch {
	case dir == "":
		area = ""
	case area == "src" || area == "lib" || area == "pkg": // these folders don't name a part of the project
		area = path.Base(path.Dir(dir))
	}
	if area == "." {
		area = ""
	}
	switch {
	case s.conventional:
		kind := of.kind()
		if kind == codeFile {
			kind = "refactor"
			for _, c := range of.changes {
				if c.status == 'A' {
					kind = "feat"
				}
			}
			switch {
			case of.function != "" && of.adds:
				kind = "feat"
			case of.function != "":
				kind = "fix"
			}
		}
		if s.scoped && area != "" {
			return s.ticket + kind + "(" + area + "): ", area
		}
		return s.ticket + kind + ": ", ""
	case s.area && area != "":
		return s.ticket + area + ": ", area
	}
	return s.ticket, ""
}
