package backend

import (
	"reflect"
	"unsafe"
)

// EventKind holds the properties of one kind of event. The event bus and the store read these properties from
// Kinds, and so does the page (through build/tsgen).
type EventKind struct {
	Name     string // name of the field in Event
	Lifetime Lifetime
	// Subject is the kind of entity that events of this kind are about. Two events about different entities
	// can be reordered, because neither changes the effect of the other. Subject is "" if events of this
	// kind can't be reordered.
	Subject string
	// ID, In and Chat are names of fields of the event's value: ID and In identify the subject, and Chat
	// identifies its chat. Each is "" if there is no such field.
	ID, In, Chat string
	// Transcript is true if the event is part of the snapshot of the chat instead of the snapshot of the app.
	Transcript bool
	Join       Join
	// Bodies are names of fields of the event's value that are stored only in the database. When two events
	// are merged and the newer one has nil in such a field, the field's value comes from the older one.
	Bodies []string
	// Hidden is true if the event isn't sent to the window.
	Hidden bool

	at           int      // position in Event
	id, in, chat *uintptr // field offsets in a value; nil if there is none
}

// A Lifetime determines where the value of an event is stored, if at all.
type Lifetime string

// Event lifetimes.
const (
	Stored    Lifetime = "stored"    // a row in the database, or its deletion
	Retained  Lifetime = "retained"  // the event bus keeps the newest event in memory for pages that load later
	Transient Lifetime = "transient" // not stored
)

// Join determines how two queued events of the same kind and subject are merged.
type Join int

// Ways to merge events.
const (
	JoinNewest Join = iota // the newer event replaces the older one
	JoinText               // the newer one continues the older one
	JoinNever
)

// Kinds has a row for each field of Event, in the same order.
var Kinds = kindsOf(reflect.TypeFor[Event](), []EventKind{
	{Name: "Chat", Lifetime: Stored, Subject: "chat", ID: "ID", Chat: "ID"},
	{Name: "ChatDeleted", Lifetime: Stored, Chat: "ID", Join: JoinNever},
	{Name: "Turn", Lifetime: Stored, Subject: "turn", ID: "ID", Chat: "ChatID", Transcript: true},
	{Name: "TurnUndo", Lifetime: Stored, Subject: "undo", ID: "TurnID", Chat: "ChatID", Transcript: true},
	{Name: "Aside", Lifetime: Stored, Chat: "ChatID", Join: JoinNever, Hidden: true},
	{Name: "ChatBranches", Lifetime: Stored, Subject: "branches", ID: "ChatID", Chat: "ChatID", Transcript: true},
	{Name: "ChatCopy", Lifetime: Stored, Chat: "ChatID", Join: JoinNever, Hidden: true},
	{Name: "Item", Lifetime: Stored, Subject: "item", ID: "ID", Chat: "ChatID", Transcript: true},
	{Name: "Text", Lifetime: Stored, Subject: "item", ID: "ItemID", Chat: "ChatID", Transcript: true, Join: JoinText},
	{Name: "Content", Lifetime: Stored, Subject: "content", ID: "ID", Chat: "ChatID", Transcript: true, Bodies: []string{"Body"}},
	{Name: "Permission", Lifetime: Stored, Subject: "permission", ID: "ID", Chat: "ChatID", Bodies: []string{"Raw", "Commands"}},
	{Name: "Queued", Lifetime: Stored, Subject: "queued", ID: "ID", Chat: "ChatID", Transcript: true},
	{Name: "QueuedDeleted", Lifetime: Stored, Subject: "queued", ID: "ID", Chat: "ChatID", Transcript: true, Join: JoinNever},
	{Name: "ReviewComment", Lifetime: Stored, Subject: "comment", ID: "ID", Chat: "ChatID", Join: JoinNever},
	{Name: "ReviewCommentDeleted", Lifetime: Stored, Subject: "comment", ID: "ID", Chat: "ChatID", Join: JoinNever},
	{Name: "Session", Lifetime: Stored, Subject: "session", ID: "Name", In: "ChatID", Chat: "ChatID", Transcript: true},
	{Name: "SessionDeleted", Lifetime: Stored, Subject: "session", ID: "ID", In: "ChatID", Chat: "ChatID", Transcript: true, Join: JoinNever},
	{Name: "SessionRenamed", Lifetime: Stored, Chat: "ChatID", Transcript: true, Join: JoinNever},
	{Name: "Rule", Lifetime: Stored, Subject: "rule", ID: "ID"},
	{Name: "RuleDeleted", Lifetime: Stored, Subject: "rule", ID: "ID", Join: JoinNever},
	{Name: "Provider", Lifetime: Stored, Subject: "provider", ID: "ID"},
	{Name: "ProviderDeleted", Lifetime: Stored, Subject: "provider", ID: "ID", Join: JoinNever},
	{Name: "CustomAgent", Lifetime: Stored, Subject: "profile", ID: "ID"},
	{Name: "CustomAgentDeleted", Lifetime: Stored, Subject: "profile", ID: "ID", Join: JoinNever},
	{Name: "Settings", Lifetime: Stored, Subject: "settings"},
	{Name: "Login", Lifetime: Stored, Subject: "login", ID: "ID"},
	{Name: "LoginDeleted", Lifetime: Stored, Subject: "login", ID: "ID", Join: JoinNever},
	{Name: "TrustedFolder", Lifetime: Stored, Subject: "trusted", ID: "Key", Join: JoinNever}, // adds entries
	{Name: "TrustedFolderDeleted", Lifetime: Stored, Subject: "trusted", ID: "ID", Join: JoinNever},
	{Name: "UnknownUpdate", Lifetime: Stored, Join: JoinNever, Hidden: true},
	{Name: "Storage", Lifetime: Retained, Subject: "storage"},
	{Name: "CLI", Lifetime: Retained, Subject: "cli"},
	{Name: "Account", Lifetime: Retained, Subject: "account"},
	{Name: "SignIn", Lifetime: Retained, Subject: "signIn"},
	{Name: "Desktop", Lifetime: Retained, Subject: "desktop"},
	{Name: "Update", Lifetime: Retained, Subject: "update"},
	{Name: "Navigation", Lifetime: Retained, Subject: "asked"},
	{Name: "Sandbox", Lifetime: Retained, Subject: "sandbox"},
	{Name: "Connection", Lifetime: Retained, Subject: "connection", ID: "ChatID", Chat: "ChatID"},
	{Name: "TrustRequest", Lifetime: Retained, Subject: "trust", ID: "Key"},
	{Name: "TrustRequestDeleted", Lifetime: Retained, Subject: "trust", ID: "ID", Join: JoinNever},
	{Name: "ReviewJob", Lifetime: Retained, Subject: "reviewJob", ID: "ID", Chat: "ChatID"},
	{Name: "ReviewJobDeleted", Lifetime: Retained, Subject: "reviewJob", ID: "ID", Join: JoinNever},
	{Name: "MessageDraft", Lifetime: Retained, Subject: "messageDraft", ID: "ChatID", Chat: "ChatID"},
	{Name: "AgentReview", Lifetime: Retained, Subject: "agentReview", ID: "ChatID", Chat: "ChatID"},
	{Name: "SessionImport", Lifetime: Retained, Subject: "sessionImport", ID: "ChatID", Chat: "ChatID"},
	{Name: "SessionUse", Lifetime: Retained, Subject: "sessionUse", ID: "ChatID", Chat: "ChatID"},
	{Name: "AgentSignIn", Lifetime: Retained, Subject: "agentSignIn", ID: "ProfileID"},
	{Name: "AgentTerminal", Lifetime: Transient, Join: JoinNever},
	{Name: "DialogResult", Lifetime: Transient, Join: JoinNever},
	{Name: "QuitRequested", Lifetime: Transient, Join: JoinNever},
	{Name: "EventRef", Lifetime: Transient, Join: JoinNever},
})

// Subject identifies the entity that an event is about. If In isn't "", the ID is unique only among the
// entities with the same In.
type Subject struct{ Kind, ID, In string }

// KindOf returns the kind of an event, or nil if none of its fields is set.
func KindOf(e *Event) *EventKind {
	for i, value := range values(e) {
		if value != nil {
			return &Kinds[i]
		}
	}
	return nil
}

// values returns the fields of an event as untyped pointers. It avoids reflection, which would double the time that the
// event bus needs for a piece of text.
func values(e *Event) *[unsafe.Sizeof(Event{}) / unsafe.Sizeof(unsafe.Pointer(nil))]unsafe.Pointer {
	return (*[unsafe.Sizeof(Event{}) / unsafe.Sizeof(unsafe.Pointer(nil))]unsafe.Pointer)(unsafe.Pointer(e))
}

// SubjectOf returns the subject of e, an event of this kind. It returns the zero Subject if events of
// this kind can't be reordered.
func (k *EventKind) SubjectOf(e *Event) Subject {
	if k == nil || k.Subject == "" {
		return Subject{}
	}
	return Subject{Kind: k.Subject, ID: k.text(e, k.id), In: k.text(e, k.in)}
}

// ChatOf returns the ID of the chat that e, an event of this kind, is about, or "" if there is none.
func (k *EventKind) ChatOf(e *Event) string { return k.text(e, k.chat) }

// Removes reports whether events of this kind delete their subject.
func (k *EventKind) Removes() bool {
	return reflect.TypeFor[Event]().Field(k.at).Type == reflect.TypeFor[*Deleted]()
}

// Value returns the field of e for this kind of event, as a reflect.Value. The field is a pointer.
func (k *EventKind) Value(e *Event) reflect.Value { return reflect.ValueOf(e).Elem().Field(k.at) }

func (k *EventKind) text(e *Event, field *uintptr) string {
	if field == nil {
		return ""
	}
	return *(*string)(unsafe.Add(values(e)[k.at], *field))
}

// kindsOf sets the field offsets in the given rows and returns the rows. It panics if a field of event has no row,
// or if a row names a field that doesn't exist. An incomplete table therefore fails at startup.
func kindsOf(event reflect.Type, rows []EventKind) []EventKind {
	if event.NumField() != len(rows) || event.Size() != uintptr(len(rows))*unsafe.Sizeof(unsafe.Pointer(nil)) {
		panic("backend: Kinds needs one row for each field of Event, all of which are pointers")
	}
	for i := range rows {
		k := &rows[i]
		if name := event.Field(i).Name; name != k.Name {
			panic("backend: Kinds needs a row for " + name + " where it has one for " + k.Name)
		}
		find := func(name string, kind reflect.Kind) *uintptr {
			field, ok := event.Field(i).Type.Elem().FieldByName(name)
			switch {
			case name == "":
				return nil
			case !ok || field.Type.Kind() != kind:
				panic("backend: " + k.Name + " has no such field " + name)
			}
			return &field.Offset
		}
		k.at = i
		k.id, k.in, k.chat = find(k.ID, reflect.String), find(k.In, reflect.String), find(k.Chat, reflect.String)
		for _, name := range k.Bodies {
			find(name, reflect.Slice)
		}
	}
	return rows
}
