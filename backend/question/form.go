package question

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// member is a member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// members returns the members of a JSON object in their order. what is the name of the object.
func members(what string, raw json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, invalid("The %s must be a JSON object.", what)
	}
	var out []member
	for d.More() {
		name, err := d.Token()
		m := member{name: fmt.Sprint(name)}
		if err == nil {
			err = d.Decode(&m.value)
		}
		if err != nil {
			return nil, invalid("The %s isn't valid JSON.", what)
		}
		if slices.ContainsFunc(out, func(other member) bool { return other.name == m.name }) {
			return nil, invalid("The %s contains %q twice.", what, m.name)
		}
		out = append(out, m)
	}
	return out, nil
}

// parseForm reads a form: the JSON Schema of an object whose properties are primitive values or arrays of options. These
// are the schemas that MCP and ACP allow for elicitation. The form must have at least the given number of properties.
func parseForm(raw json.RawMessage, least int) ([]backend.QuestionField, error) {
	parts, err := members("form", raw)
	if err != nil {
		return nil, err
	}
	var properties []member
	var required []string
	for _, part := range parts {
		switch part.name {
		case "type":
			if string(part.value) != `"object"` {
				return nil, invalid(`The form must have the type "object".`)
			}
		case "properties":
			if properties, err = members("properties of the form", part.value); err != nil {
				return nil, err
			}
		case "required":
			if json.Unmarshal(part.value, &required) != nil {
				return nil, invalid(`"required" of the form must list names of properties.`)
			}
		case "$schema", "_meta", "title", "description", "additionalProperties":
		default:
			return nil, invalid("A form can't contain %q. It has only properties and required.", part.name)
		}
	}
	if len(properties) < least || len(properties) > maxFields {
		return nil, invalid("A form has %d to %d properties, not %d.", least, maxFields, len(properties))
	}
	var fields []backend.QuestionField
	for _, p := range properties {
		field, err := parseField(p.name, p.value)
		if err != nil {
			return nil, err
		}
		field.Required = slices.Contains(required, p.name)
		fields = append(fields, field)
	}
	for _, name := range required {
		if !slices.ContainsFunc(fields, func(f backend.QuestionField) bool { return f.Name == name }) {
			return nil, invalid("The form requires %q, which isn't one of its properties.", name)
		}
	}
	return fields, nil
}

// property is the JSON Schema of a field.
type property struct {
	Type        string          `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`
	Format      string          `json:"format"`
	Pattern     string          `json:"pattern"`
	MinLength   *int            `json:"minLength"`
	MaxLength   *int            `json:"maxLength"`
	Minimum     *float64        `json:"minimum"`
	Maximum     *float64        `json:"maximum"`
	Enum        []string        `json:"enum"`
	EnumNames   []string        `json:"enumNames"`
	OneOf       []option        `json:"oneOf"`
	Items       *items          `json:"items"`
	MinItems    *int            `json:"minItems"`
	MaxItems    *int            `json:"maxItems"`
	UniqueItems bool            `json:"uniqueItems"`
	Meta        json.RawMessage `json:"_meta"`
}

type option struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

type items struct {
	Type  string   `json:"type"`
	Enum  []string `json:"enum"`
	AnyOf []option `json:"anyOf"`
	OneOf []option `json:"oneOf"`
}

func parseField(name string, raw json.RawMessage) (f backend.QuestionField, err error) {
	what := fmt.Sprintf("field %.100q", name)
	if err := checkText("name of a field", name, maxName, true); err != nil {
		return f, err
	}
	var p property
	if err := strict(raw, &p); err != nil {
		return f, invalid("The %s isn't supported. %v", what, err)
	}
	f = backend.QuestionField{
		Name: name, Title: strings.TrimSpace(p.Title), Description: strings.TrimSpace(p.Description), Format: p.Format, Pattern: p.Pattern,
		MinLength: p.MinLength, MaxLength: p.MaxLength, Min: p.Minimum, Max: p.Maximum, MinItems: p.MinItems, MaxItems: p.MaxItems,
	}
	if f.Title == "" {
		f.Title = name
	}
	if err := checkText("title of the "+what, f.Title, maxLabel, true); err != nil {
		return f, err
	}
	if err := checkText("description of the "+what, f.Description, maxDescription, false); err != nil {
		return f, err
	}
	if err := setKind(&f, p, what); err != nil {
		return f, err
	}
	if isSecretField(f) {
		return f, secretRefusal("The " + what + " asks")
	}
	if err := checkLimits(f, what); err != nil {
		return f, err
	}
	return f, setDefault(&f, p.Default, what)
}

// setKind sets the kind and the options of a field.
func setKind(f *backend.QuestionField, p property, what string) error {
	hasOptions := p.Enum != nil || p.OneOf != nil
	isText := false
	switch p.Type {
	case "string":
		f.Kind, isText = backend.FieldText, !hasOptions
		if hasOptions {
			f.Kind = backend.FieldOne
		}
	case "number":
		f.Kind = backend.FieldNumber
	case "integer":
		f.Kind = backend.FieldInteger
	case "boolean":
		f.Kind = backend.FieldBoolean
	case "array":
		f.Kind = backend.FieldSome
	default:
		return invalid("The %s has the type %.40q. Fields have the type string, number, integer, boolean or array.", what, p.Type)
	}
	isNumber := f.Kind == backend.FieldNumber || f.Kind == backend.FieldInteger
	switch {
	case !isText && (p.Format != "" || p.Pattern != "" || p.MinLength != nil || p.MaxLength != nil):
		return invalid("The %s isn't a text, so it can't have a format, pattern or length.", what)
	case !isNumber && (p.Minimum != nil || p.Maximum != nil):
		return invalid("The %s isn't a number, so it can't have a minimum or maximum.", what)
	case f.Kind != backend.FieldSome && (p.Items != nil || p.MinItems != nil || p.MaxItems != nil):
		return invalid("The %s isn't an array, so it can't have items.", what)
	case p.Type != "string" && (hasOptions || p.EnumNames != nil):
		return invalid("The %s can have options only if its type is string or array.", what)
	}
	var err error
	switch f.Kind {
	case backend.FieldOne:
		f.Options, err = options(what, p.Enum, p.EnumNames, p.OneOf)
	case backend.FieldSome:
		if p.Items == nil || p.Items.Type != "" && p.Items.Type != "string" {
			return invalid("The %s must have items with the options to choose from.", what)
		}
		f.Options, err = options(what, p.Items.Enum, nil, append(p.Items.AnyOf, p.Items.OneOf...))
	default: // no options
	}
	return err
}

// options returns the options of a field, given as values with or without titles.
func options(what string, values, titles []string, titled []option) ([]backend.FieldOption, error) {
	if titles != nil && len(titles) != len(values) || values != nil && titled != nil {
		return nil, invalid("The options of the %s aren't clear. Use either enum or titled options.", what)
	}
	for i, value := range values {
		o := option{Const: value}
		if titles != nil {
			o.Title = titles[i]
		}
		titled = append(titled, o)
	}
	if len(titled) == 0 || len(titled) > maxOptions {
		return nil, invalid("The %s has %d options. It needs 1 to %d.", what, len(titled), maxOptions)
	}
	var out []backend.FieldOption
	for _, o := range titled {
		made := backend.FieldOption{Value: o.Const, Title: strings.TrimSpace(o.Title)}
		if made.Title == "" {
			made.Title = o.Const
		}
		for _, text := range []string{made.Value, made.Title} {
			if err := checkText("option of the "+what, text, maxLabel, true); err != nil {
				return nil, err
			}
		}
		if slices.ContainsFunc(out, func(other backend.FieldOption) bool { return other.Value == made.Value }) {
			return nil, invalid("The %s has the option %q twice.", what, made.Value)
		}
		out = append(out, made)
	}
	return out, nil
}

// checkLimits returns an error if the format, the pattern or a limit of a field isn't valid, or if no value could
// satisfy the limits.
func checkLimits(f backend.QuestionField, what string) error {
	switch f.Format {
	case "", "email", "uri", "date", "date-time":
	default:
		return invalid("The %s has the format %.40q. The formats are email, uri, date and date-time.", what, f.Format)
	}
	if len(f.Pattern) > maxPattern {
		return invalid("The pattern of the %s can have at most %d bytes.", what, maxPattern)
	}
	if _, err := regexp.Compile(f.Pattern); err != nil {
		return invalid("The pattern of the %s isn't supported: it must be a regular expression in RE2 syntax.", what)
	}
	for _, limit := range []*int{f.MinLength, f.MaxLength, f.MinItems, f.MaxItems} {
		if limit != nil && *limit < 0 {
			return invalid("The limits of the %s can't be negative.", what)
		}
	}
	most := len(f.Options)
	if f.MinLength != nil && (f.MaxLength != nil && *f.MinLength > *f.MaxLength || *f.MinLength > maxAnswer) || f.Min != nil && f.Max != nil && *f.Min > *f.Max ||
		f.MinItems != nil && (f.MaxItems != nil && *f.MinItems > *f.MaxItems || *f.MinItems > most) {
		return invalid("No value satisfies the limits of the %s.", what)
	}
	return nil
}

// setDefault sets the initial value of a field. A default that isn't valid is an error, because the user might not
// notice it.
func setDefault(f *backend.QuestionField, raw json.RawMessage, what string) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	wrong := invalid("The default of the %s isn't a valid value.", what)
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return wrong
	}
	switch v := v.(type) {
	case string:
		if f.Kind != backend.FieldText && f.Kind != backend.FieldOne {
			return wrong
		}
		f.Default = []string{v}
	case float64:
		if f.Kind != backend.FieldNumber && f.Kind != backend.FieldInteger {
			return wrong
		}
		f.Default = []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case bool:
		if f.Kind != backend.FieldBoolean {
			return wrong
		}
		f.Default = []string{strconv.FormatBool(v)}
	case []any:
		if f.Kind != backend.FieldSome {
			return wrong
		}
		for _, one := range v {
			f.Default = append(f.Default, fmt.Sprint(one))
		}
	default:
		return wrong
	}
	if _, problem := checkValue(*f, f.Default); !problem.IsZero() {
		return wrong
	}
	return nil
}
