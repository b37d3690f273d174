// Package jsontext checks JSON from other programs before gjson reads it.
package jsontext

import (
	"bytes"

	"github.com/tidwall/gjson"
)

// maxDepth is the maximum nesting depth of a value, as in encoding/json. gjson has no limit: a value of some megabytes
// that is nested more deeply would exhaust the stack, which ends the app.
const maxDepth = 10_000

// Valid reports whether text is one JSON value whose nesting doesn't exceed the limit.
func Valid(text []byte) bool { return !tooDeep(text) && gjson.ValidBytes(text) }

// tooDeep reports whether the nesting of text exceeds maxDepth.
func tooDeep(text []byte) bool {
	if bytes.Count(text, []byte{'['})+bytes.Count(text, []byte{'{'}) <= maxDepth {
		return false
	}
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case inString && b == '\\':
			i++
		case b == '"':
			inString = !inString
		case inString:
		case b == '[' || b == '{':
			if depth++; depth > maxDepth {
				return true
			}
		case b == ']' || b == '}':
			depth--
		}
	}
	return false
}
