// Package cmdline parses command lines for permission rules. It answers two questions about a line
// without running any of it:
//
//   - Does the line do no more than a rule allows? Parse and Command.Outside are strict:
//     anything uncertain goes beyond the rule.
//   - Does the line run a command that a rule denies? Calls is broad: every command that
//     the line may run counts, however it is started.
//
// It supports POSIX shells, bash and zsh. The effect of PowerShell and cmd lines is never certain.
package cmdline

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// maxLine is the maximum size in bytes of a line that is parsed. It prevents an agent
// from blocking the app with a long line.
const maxLine = 64 << 10

// Word is one word of a command, without its quotes.
type Word struct {
	Text string
	// Glob means that the shell may expand the word into file names.
	Glob bool
}

// Command is one simple command: a program and its arguments as passed by the shell.
type Command []Word

// Reasons why Parse rejects a line.
var (
	errSize      = errors.New("the line is too long")
	errCharacter = errors.New("the line has characters that no command needs")
	errSyntax    = errors.New("the line is not one simple command")
	errExpands   = errors.New("the line has words that the shell replaces")
	errRedirect  = errors.New("the line redirects input or output")
	errAssigns   = errors.New("the line sets a variable")
	errShell     = errors.New("shells read the line in different ways")
	errSystem    = errors.New("lines of PowerShell and cmd are not read")
)

// variants are the shells in which agents may run a line. Since an agent may use any
// of them, the line must mean the same in all of them.
var variants = []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX, syntax.LangZsh}

// Parse parses a line that consists of one simple command: every word is literal or a
// file name pattern, no variable is set, and redirections use only /dev/null. It
// returns an error for any other line, and for every line on Windows.
func Parse(line string) (Command, error) {
	if runtime.GOOS == "windows" {
		return nil, errSystem
	}
	if len(line) > maxLine {
		return nil, errSize
	}
	if !utf8.ValidString(line) || strings.ContainsFunc(line, isOdd) {
		return nil, errCharacter
	}
	var first Command
	for i, variant := range variants {
		command, err := parseAs(variant, line)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			first = command
		} else if !slices.Equal(first, command) {
			return nil, errShell
		}
	}
	return first, nil
}

// isOdd reports whether r is a control character, a blank other than space and tab, or
// an invisible character.
func isOdd(r rune) bool {
	return r != ' ' && r != '\t' && (unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
}

// parseAs parses the line in one shell's syntax.
func parseAs(variant syntax.LangVariant, line string) (Command, error) {
	file, err := syntax.NewParser(syntax.Variant(variant), syntax.KeepComments(true)).Parse(strings.NewReader(line), "")
	if err != nil || len(file.Stmts) != 1 || len(file.Last) > 0 {
		return nil, errSyntax
	}
	s := file.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || s.Coprocess || s.Disown || s.Semicolon.IsValid() || len(s.Comments) > 0 {
		return nil, errSyntax
	}
	if len(call.Assigns) > 0 {
		return nil, errAssigns
	}
	for _, redirect := range s.Redirs {
		if !toNull(redirect) {
			return nil, errRedirect
		}
	}
	var command Command
	for _, node := range call.Args {
		w, err := wordOf(node)
		if err != nil {
			return nil, err
		}
		command = append(command, w)
	}
	if len(command) == 0 || command[0].Glob || command[0].Text == "" {
		return nil, errExpands
	}
	return command, nil
}

// toNull reports whether a redirection only discards output or provides empty input.
func toNull(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrOut, syntax.RdrIn, syntax.AppOut:
	default:
		return false
	}
	if r.N != nil && r.N.Value != "1" && r.N.Value != "2" && r.N.Value != "0" {
		return false
	}
	return r.Word.Lit() == "/dev/null"
}

// wordOf returns the word as the program receives it. It returns an error if the word depends on anything but the
// line.
func wordOf(node *syntax.Word) (Word, error) {
	var w Word
	// bare holds the unquoted text, with NUL for each quoted part. Empty quoted parts are left out, because zsh
	// expands ''~ to the home directory.
	var text, bare strings.Builder
	quoted := func(s string) {
		text.WriteString(s)
		if s != "" {
			bare.WriteByte(0)
		}
	}
	for _, part := range node.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			for i := 0; i < len(part.Value); i++ {
				c := part.Value[i]
				if c == '\\' {
					if i++; i == len(part.Value) {
						return w, errSyntax
					}
					r, n := utf8.DecodeRuneInString(part.Value[i:])
					i += n - 1
					quoted(string(r))
					continue
				}
				text.WriteByte(c)
				bare.WriteByte(c)
			}
		case *syntax.SglQuoted:
			if part.Dollar {
				return w, errExpands
			}
			quoted(part.Value)
		case *syntax.DblQuoted:
			inner, err := inDouble(part)
			if err != nil {
				return w, err
			}
			quoted(inner)
		default:
			return w, errExpands
		}
	}
	w.Text = text.String()
	if !isPlain(bare.String()) {
		return w, errExpands
	}
	w.Glob = strings.ContainsAny(bare.String(), "*?[")
	return w, nil
}

// inDouble returns the text between double quotes, or an error if the shell expands it.
func inDouble(q *syntax.DblQuoted) (string, error) {
	if q.Dollar {
		return "", errExpands
	}
	var b strings.Builder
	for _, part := range q.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			return "", errExpands
		}
		for i := 0; i < len(lit.Value); i++ {
			c := lit.Value[i]
			switch {
			case c == '\\' && i+1 < len(lit.Value) && strings.IndexByte("$`\"\\", lit.Value[i+1]) >= 0:
				i++
				b.WriteByte(lit.Value[i])
			case c == '$', c == '`', c == '!': // "!" is history expansion in interactive shells
				return "", errExpands
			default:
				b.WriteByte(c)
			}
		}
	}
	return b.String(), nil
}

// isPlain reports whether the shell leaves the unquoted part of a word as it is, apart from expanding file name
// patterns. Such a part contains no variable, home directory, brace list, history reference, zsh command or
// comment.
func isPlain(bare string) bool {
	if bare == "" {
		return true
	}
	if strings.ContainsAny(bare, "$`!()<>|&;'\"") || bare[0] == '#' || bare[0] == '=' || bare[0] == '^' {
		return false
	}
	for i := range len(bare) {
		if bare[i] == '~' && (i == 0 || strings.IndexByte("=:,", bare[i-1]) >= 0) {
			return false
		}
	}
	return !hasList(bare)
}

// hasList reports whether a word may contain a brace list, which shells expand into several words. A list contains ","
// or ".." between "{" and the closing "}".
func hasList(bare string) bool {
	open, closes, lists := 0, 0, 0
	for i := range len(bare) {
		switch {
		case bare[i] == '{':
			open++
		case bare[i] == '}':
			closes++
			open = max(0, open-1)
		case open > 0 && (bare[i] == ',' || strings.HasPrefix(bare[i:], "..")):
			return true
		case bare[i] == ',' && closes > 0:
			lists++ // in {a},b}, the last brace may close the list
		}
	}
	return lists > 0 && strings.LastIndexByte(bare, '}') > strings.LastIndexByte(bare, ',')
}

// HasPrefix reports whether the command starts with the words of prefix. It returns false if prefix has
// no words.
func (c Command) HasPrefix(prefix Command) bool {
	return len(prefix) > 0 && len(c) >= len(prefix) && slices.Equal(c[:len(prefix)], prefix)
}
