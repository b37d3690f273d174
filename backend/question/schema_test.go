package question_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/question"
)

func p[T any](v T) *T { return &v }

func TestParse_Forms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		arguments string
		want      backend.Question
	}{
		"choices": {
			`{"question":" How long? ","choices":[{"label":"10 s","description":"As the client","suggested":true},"No limit"]}`,
			backend.Question{Text: "How long?", FreeText: true, Choices: []backend.QuestionChoice{{Label: "10 s", Description: "As the client", Suggested: true}, {Label: "No limit"}}},
		},
		"several, without free text": {
			`{"question":"Which?","choices":[{"label":"a"},{"label":"b"}],"multiple":true,"free_text":false}`,
			backend.Question{Text: "Which?", Several: true, Choices: []backend.QuestionChoice{{Label: "a"}, {Label: "b"}}},
		},
		"an open question": {`{"question":"What name?","free_text":false}`, backend.Question{Text: "What name?", FreeText: true}},
		"a form of every type, in its order": {
			`{"question":"Details","form":{"type":"object","properties":{
				"name":{"type":"string","title":"Name","pattern":"^[a-z0-9-]+$","minLength":2,"maxLength":20},
				"mail":{"type":"string","format":"email","description":"Whom to tell"},
				"size":{"type":"integer","minimum":5,"maximum":500,"default":20},
				"ratio":{"type":"number","default":0.5},
				"backup":{"type":"boolean","default":true},
				"region":{"type":"string","enum":["fra","iad"],"enumNames":["Frankfurt","Virginia"],"default":"fra"},
				"tier":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]},
				"extensions":{"type":"array","minItems":1,"maxItems":2,"uniqueItems":true,"items":{"type":"string","enum":["a","b","c"]},"default":["a"]},
				"zones":{"type":"array","items":{"anyOf":[{"const":"1","title":"One"}]}}
			},"required":["name","size"]}}`,
			backend.Question{Text: "Details", Fields: []backend.QuestionField{
				{Name: "name", Title: "Name", Kind: backend.FieldText, Pattern: "^[a-z0-9-]+$", MinLength: p(2), MaxLength: p(20), Required: true},
				{Name: "mail", Title: "mail", Kind: backend.FieldText, Format: "email", Description: "Whom to tell"},
				{Name: "size", Title: "size", Kind: backend.FieldInteger, Min: p(5.0), Max: p(500.0), Default: []string{"20"}, Required: true},
				{Name: "ratio", Title: "ratio", Kind: backend.FieldNumber, Default: []string{"0.5"}},
				{Name: "backup", Title: "backup", Kind: backend.FieldBoolean, Default: []string{"true"}},
				{Name: "region", Title: "region", Kind: backend.FieldOne, Options: []backend.FieldOption{{Value: "fra", Title: "Frankfurt"}, {Value: "iad", Title: "Virginia"}}, Default: []string{"fra"}},
				{Name: "tier", Title: "tier", Kind: backend.FieldOne, Options: []backend.FieldOption{{Value: "s", Title: "Small"}, {Value: "l", Title: "Large"}}},
				{
					Name: "extensions", Title: "extensions", Kind: backend.FieldSome, MinItems: p(1), MaxItems: p(2), Default: []string{"a"},
					Options: []backend.FieldOption{{Value: "a", Title: "a"}, {Value: "b", Title: "b"}, {Value: "c", Title: "c"}},
				},
				{Name: "zones", Title: "zones", Kind: backend.FieldSome, Options: []backend.FieldOption{{Value: "1", Title: "One"}}},
			}},
		},
	} {
		got, err := question.Parse(json.RawMessage(c.arguments))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// property returns the arguments of a question with a form of one property.
func property(name, schema string) string {
	quoted, err := json.Marshal(name)
	if err != nil {
		panic(err) // a string can be marshaled
	}
	return fmt.Sprintf(`{"question":"q","form":{"properties":{%s:%s}}}`, quoted, schema)
}

func TestParse_Refuses(t *testing.T) {
	t.Parallel()
	large := `{"question":"q","choices":[` + strings.TrimSuffix(strings.Repeat(`{"label":"`+strings.Repeat("x", 1000)+`"},`, 1000), ",") + `]}`
	for name, c := range map[string]struct{ arguments, want string }{
		"1 MB of choices":          {large, "too large"},
		"no question":              {`{}`, "is required"},
		"only spaces":              {`{"question":"  "}`, "is required"},
		"not an object":            {`[1]`, "don't match"},
		"two objects":              {`{"question":"q"} {}`, "single JSON object"},
		"an unknown argument":      {`{"question":"q","title":"t"}`, "title"},
		"a control character":      {"{\"question\":\"q\\u0007\"}", "U+0007"},
		"a change of direction":    {`{"question":"pay \u202e$1"}`, "U+202E"},
		"a control in a label":     {`{"question":"q","choices":[{"label":"a\u001b[31m"}]}`, "U+001B"},
		"too many choices":         {`{"question":"q","choices":[` + strings.TrimSuffix(strings.Repeat(`"x",`, 21), ",") + `]}`, "at most 20"},
		"equal choices":            {`{"question":"q","choices":["a","a"]}`, "Two choices"},
		"two suggestions":          {`{"question":"q","choices":[{"label":"a","suggested":true},{"label":"b","suggested":true}]}`, "At most one"},
		"choices and a form":       {`{"question":"q","choices":["a"],"form":{"properties":{"a":{"type":"string"}}}}`, "either"},
		"several of nothing":       {`{"question":"q","multiple":true}`, "needs"},
		"an empty form":            {`{"question":"q","form":{"properties":{}}}`, "1 to 30"},
		"a form that is a list":    {`{"question":"q","form":[]}`, "must be a JSON object"},
		"a reference":              {property("a", `{"$ref":"#/definitions/a"}`), "$ref"},
		"a nested object":          {property("a", `{"type":"object","properties":{}}`), "isn't supported"},
		"a schema of everything":   {property("a", `true`), "isn't supported"},
		"no type":                  {property("a", `{}`), "has the type"},
		"types":                    {property("a", `{"type":["string","null"]}`), "isn't supported"},
		"an array of anything":     {property("a", `{"type":"array"}`), "items"},
		"an array of objects":      {property("a", `{"type":"array","items":{"type":"object"}}`), "items"},
		"an array without items":   {property("a", `{"type":"array","items":{"type":"string"}}`), "0 options"},
		"an unknown format":        {property("a", `{"type":"string","format":"password"}`), "format"},
		"a slow pattern":           {property("a", `{"type":"string","pattern":"(a+)+\\1$"}`), "RE2"},
		"impossible limits":        {property("a", `{"type":"integer","minimum":5,"maximum":4}`), "No value"},
		"negative limits":          {property("a", `{"type":"string","minLength":-1}`), "negative"},
		"an invalid default":       {property("a", `{"type":"integer","minimum":5,"default":4}`), "default"},
		"a default of a type":      {property("a", `{"type":"boolean","default":"yes"}`), "default"},
		"a default not offered":    {property("a", `{"type":"string","enum":["a"],"default":"b"}`), "default"},
		"a required stranger":      {`{"question":"q","form":{"properties":{"a":{"type":"string"}},"required":["b"]}}`, `"b"`},
		"a property twice":         {`{"question":"q","form":{"properties":{"a":{"type":"string"},"a":{"type":"string"}}}}`, "twice"},
		"a condition":              {`{"question":"q","form":{"properties":{"a":{"type":"string"}},"if":{}}}`, "if"},
		"a control in a name":      {property("a\u0000", `{"type":"string"}`), "U+0000"},
		"an option twice":          {property("a", `{"type":"string","enum":["a","a"]}`), "twice"},
		"many options":             {property("a", `{"type":"string","enum":[`+strings.TrimSuffix(strings.Repeat(`"x",`, 201), ",")+`]}`), "201 options"},
		"enum and oneOf":           {property("a", `{"type":"string","enum":["a"],"oneOf":[{"const":"b"}]}`), "aren't clear"},
		"names for nothing":        {property("a", `{"type":"string","enum":["a"],"enumNames":["a","b"]}`), "aren't clear"},
		"a minimum of a text":      {property("a", `{"type":"string","minimum":1}`), "isn't a number"},
		"a length of a number":     {property("a", `{"type":"number","maxLength":1}`), "isn't a text"},
		"deep nesting":             {`{"question":"q","form":{"properties":{"a":` + strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat(`}`, 5000) + `}}}`, ""},
		"a password":               {property("password", `{"type":"string"}`), "secret"},
		"a password by its title":  {property("a", `{"type":"string","title":"Database password"}`), "secret"},
		"an API key":               {property("openaiApiKey", `{"type":"string"}`), "secret"},
		"a token":                  {property("GITHUB_TOKEN", `{"type":"string"}`), "secret"},
		"a PIN":                    {property("pin", `{"type":"integer"}`), "secret"},
		"an open question for it":  {`{"question":"Please enter your GitHub password."}`, "secret"},
		"a form's question for it": {`{"question":"Please enter your GitHub password.","form":{"properties":{"a":{"type":"string"}}}}`, "secret"},
	} {
		_, err := question.Parse(json.RawMessage(c.arguments))
		var refused *question.Refusal
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) || refused.Reason.IsZero() {
			t.Errorf("%s: %v, want a refusal with %q", name, err, c.want)
		}
		if err != nil && len(err.Error()) > 2000 {
			t.Errorf("%s: the error has %d bytes", name, len(err.Error()))
		}
	}
}

func TestParse_AllowsWhatOnlySoundsLikeSecrets(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{
		property("max_tokens", `{"type":"integer"}`),
		property("keyboard", `{"type":"string"}`),
		property("primary_key", `{"type":"string"}`),
		property("secret_store", `{"type":"string","enum":["vault","env"]}`),
		property("monkey", `{"type":"string"}`),
		`{"question":"Where should the app read your API key from?","choices":["The environment","A file"]}`,
		`{"question":"How long should a session token last?"}`,
	} {
		if _, err := question.Parse(json.RawMessage(arguments)); err != nil {
			t.Errorf("%s: %v", arguments, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"question":"q","choices":["a",{"label":"b"}]}`, "a", "1")
	f.Add(property("a", `{"type":"integer","minimum":1,"default":2}`), "x", "9")
	f.Add(property("a", `{"type":"array","items":{"anyOf":[{"const":"1"}]}}`), "1", "1")
	f.Add(property("a", `{"type":"string","format":"uri","pattern":"a"}`), "http://a", "")
	f.Fuzz(func(t *testing.T, arguments, text, value string) {
		q, err := question.Parse(json.RawMessage(arguments))
		if err != nil {
			var refused *question.Refusal
			if !errors.As(err, &refused) {
				t.Fatalf("not a refusal: %v", err)
			}
			return
		}
		a := backend.QuestionAnswer{Choices: []int{0, -1, 5}, Text: text}
		for _, field := range q.Fields {
			a.Values = append(a.Values, backend.FieldValue{Name: field.Name, Values: []string{value}})
		}
		checked, problems := question.Check(q, a)
		if len(problems) > 0 {
			return
		}
		q.Outcome, q.Answer = backend.OutcomeAnswered, &checked
		if result := question.Result(q, 0); !json.Valid(result) {
			t.Errorf("the result isn't JSON: %s", result)
		}
		if again, problems := question.Check(q, checked); len(problems) > 0 || !cmp.Equal(again, checked) {
			t.Errorf("checked again, %v is %v: %v", checked, again, problems)
		}
	})
}
