package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// decode reads the arguments of a call into args, a pointer to a struct. What
// is not in the struct is an error: a model that makes an argument up would
// otherwise never learn that it does nothing.
func decode(raw json.RawMessage, args any) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		raw = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(args)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			return wrong("The arguments must be one JSON object and nothing after it.")
		}
		return nil
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		if kind.Field == "" {
			return wrong("The arguments must be a JSON object with: %s.", fieldsOf(args))
		}
		return wrong("The argument %q must be %s and not a %s.", kind.Field, wordFor(kind.Type), kind.Value)
	}
	if name, is := strings.CutPrefix(err.Error(), "json: unknown field "); is {
		return wrong("There is no argument %s. The arguments are: %s.", name, fieldsOf(args))
	}
	return wrong("The arguments are no JSON: %v.", err)
}

// fieldsOf are the names of the arguments.
func fieldsOf(args any) string {
	t := reflect.TypeOf(args).Elem()
	names := make([]string, t.NumField())
	for i := range names {
		names[i], _, _ = strings.Cut(t.Field(i).Tag.Get("json"), ",")
	}
	return strings.Join(names, ", ")
}

func wordFor(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	default:
		return fmt.Sprintf("a %s", t.Kind())
	}
}

// between checks that a number is in its range, or not given, which is 0.
func between(name string, n, least, most int) error {
	if n != 0 && (n < least || n > most) {
		return wrong("The argument %q must be from %d to %d.", name, least, most)
	}
	return nil
}
