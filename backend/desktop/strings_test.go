package desktop

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestEveryLanguageSaysAllThatEnglishSays(t *testing.T) {
	var holes func(path string, v, english reflect.Value)
	holes = func(path string, v, english reflect.Value) {
		for i := range v.NumField() {
			name := path + "." + v.Type().Field(i).Name
			switch f, e := v.Field(i), english.Field(i); {
			case f.Kind() == reflect.Struct:
				holes(name, f, e)
			case strings.TrimSpace(f.String()) == "" || strings.Count(f.String(), "%") != strings.Count(e.String(), "%"):
				t.Errorf("%s is %q", name, f)
			}
		}
	}
	for language, s := range sayings {
		holes(language, reflect.ValueOf(s), reflect.ValueOf(sayings["en"]))
		list := s.bar.list()
		if n := reflect.TypeFor[titles]().NumField(); len(list) != n || slices.Contains(list, "") {
			t.Errorf("%s: %d titles of %d are in the list %q", language, len(list), n, list)
		}
	}
	if got := sayingIn("fr").quit; got != "Quit" {
		t.Errorf("a language that is not spoken says %q", got)
	}
}
