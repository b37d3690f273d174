package backend

import (
	"reflect"
	"strings"
	"testing"
)

// each calls do once for each kind of event, with an event whose value is empty.
func each(t *testing.T, do func(t *testing.T, k *EventKind, e *Event, value reflect.Value)) {
	t.Helper()
	event := reflect.TypeFor[Event]()
	for i := range event.NumField() {
		t.Run(event.Field(i).Name, func(t *testing.T) {
			e := &Event{}
			value := reflect.New(event.Field(i).Type.Elem())
			reflect.ValueOf(e).Elem().Field(i).Set(value)
			do(t, KindOf(e), e, value.Elem())
		})
	}
}

func TestKinds_EveryFieldOfEventHasARow(t *testing.T) {
	each(t, func(t *testing.T, k *EventKind, e *Event, value reflect.Value) {
		if k.Name != strings.TrimPrefix(t.Name(), "TestKinds_EveryFieldOfEventHasARow/") {
			t.Errorf("got the row of %s", k.Name)
		}
		if k.Lifetime != Stored && k.Lifetime != Retained && k.Lifetime != Transient {
			t.Errorf("got lifetime %q", k.Lifetime)
		}
		if k.Value(e).Elem() != value {
			t.Error("got another value")
		}
		if (k.Subject == "") != (k.SubjectOf(e) == Subject{}) || k.Subject == "" && k.Join != JoinNever {
			t.Errorf("got subject %q and join %d", k.Subject, k.Join)
		}
	})
}

func TestKinds_FindsFields(t *testing.T) {
	each(t, func(t *testing.T, k *EventKind, e *Event, value reflect.Value) {
		for field, got := range map[string]func() string{
			k.ID:   func() string { return k.SubjectOf(e).ID },
			k.In:   func() string { return k.SubjectOf(e).In },
			k.Chat: func() string { return k.ChatOf(e) },
		} {
			if field == "" || k.Subject == "" && field != k.Chat {
				continue
			}
			value.FieldByName(field).SetString("some " + field)
			if got() != "some "+field {
				t.Errorf("got %q for %s", got(), field)
			}
		}
		chat := value.FieldByName("ChatID")
		leadsToChat := k.Name == "Navigation" // it names the chat to show
		if chat.IsValid() && !k.Removes() && !k.Hidden && !leadsToChat && k.Chat != "ChatID" {
			t.Error("its chat is not in the table")
		}
		for _, body := range k.Bodies {
			if field, _ := value.Type().FieldByName(body); field.Tag.Get("json") != "-" {
				t.Errorf("the window gets %s", body)
			}
		}
	})
}

func TestKinds_RemovalHasSubject(t *testing.T) {
	subjects := map[string]bool{}
	for _, k := range Kinds {
		subjects[k.Subject] = subjects[k.Subject] || !k.Removes()
	}
	each(t, func(t *testing.T, k *EventKind, _ *Event, _ reflect.Value) {
		if k.Removes() && (k.Join != JoinNever || !subjects[k.Subject]) {
			t.Errorf("got subject %q and join %d", k.Subject, k.Join)
		}
	})
}

func TestKinds_IncompleteTablePanics(t *testing.T) {
	type event struct {
		Chat *Chat
		Turn *Turn
	}
	for name, rows := range map[string][]EventKind{
		"a row is missing":    {{Name: "Chat"}},
		"another order":       {{Name: "Turn"}, {Name: "Chat"}},
		"a row of no field":   {{Name: "Chat"}, {Name: "Item"}},
		"no such id":          {{Name: "Chat", ID: "Id"}, {Name: "Turn"}},
		"no such chat":        {{Name: "Chat"}, {Name: "Turn", Chat: "Chat"}},
		"no such body":        {{Name: "Chat"}, {Name: "Turn", Bodies: []string{"Body"}}},
		"one row is too many": {{Name: "Chat"}, {Name: "Turn"}, {Name: "Turn"}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("got no panic")
				}
			}()
			kindsOf(reflect.TypeFor[event](), rows)
		})
	}
}
