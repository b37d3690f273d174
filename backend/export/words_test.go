package export

import (
	"reflect"
	"testing"
)

func TestEveryLanguageHasAllWords(t *testing.T) {
	english := reflect.ValueOf(languages["en"])
	for language, w := range languages {
		in := reflect.ValueOf(w)
		for i := range in.NumField() {
			name := in.Type().Field(i).Name
			if in.Field(i).Kind() != reflect.Map {
				if in.Field(i).Len() == 0 {
					t.Errorf("%s has no words for %s", language, name)
				}
				continue
			}
			for _, key := range english.Field(i).MapKeys() {
				if said := in.Field(i).MapIndex(key); !said.IsValid() || said.Len() == 0 {
					t.Errorf("%s has no words for %s of %s", language, key, name)
				}
			}
		}
	}
}
