// Package column converts values that contain user-facing messages to the values of database columns, and back.
// Importing it registers the gorm serializers "list" and "message". The latter stores messages in text columns, and
// structs that contain messages as JSON, in the format of backend.Message.Stored, so that older versions of VoxPilot
// can read the English text.
package column

import (
	"context"
	"encoding/json"
	"reflect"

	"gorm.io/gorm/schema"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// messageSerializer is the gorm serializer "message".
type messageSerializer struct{ schema.JSONSerializer }

func init() {
	schema.RegisterSerializer("message", messageSerializer{})
	schema.RegisterSerializer("list", jsonList{})
}

// jsonList stores a list or a map as JSON, and an empty one as NULL.
type jsonList struct{ schema.JSONSerializer }

// Value returns the column value.
func (l jsonList) Value(ctx context.Context, field *schema.Field, row reflect.Value, value any) (any, error) {
	if reflect.ValueOf(value).Len() == 0 {
		return nil, nil
	}
	return l.JSONSerializer.Value(ctx, field, row, value)
}

// Value returns the column value.
func (s messageSerializer) Value(ctx context.Context, field *schema.Field, row reflect.Value, value any) (any, error) {
	if m, is := value.(backend.Message); is {
		return stored(m).String(), nil
	}
	return s.JSONSerializer.Value(ctx, field, row, toStored(value))
}

// Scan sets the field to the column value.
func (s messageSerializer) Scan(ctx context.Context, field *schema.Field, row reflect.Value, value any) error {
	if field.FieldType == reflect.TypeFor[backend.Message]() {
		text, _ := value.(string)
		return field.Set(ctx, row, restored(backend.Plain(text)))
	}
	if err := s.JSONSerializer.Scan(ctx, field, row, value); err != nil {
		return err
	}
	eachMessage(field.ReflectValueOf(ctx, row).Interface(), restored)
	return nil
}

// JSON returns v as JSON for a column, or nil (NULL) if present is false.
func JSON(v any, present bool) any {
	if !present {
		return nil
	}
	b, err := json.Marshal(toStored(v))
	if err != nil {
		// Values of JSON columns can always be marshaled.
		panic(err)
	}
	return string(b)
}

// eachMessage applies change to all messages in a struct that is stored as JSON.
func eachMessage(of any, change func(backend.Message) backend.Message) {
	switch of := of.(type) {
	case *backend.Tool:
		if of != nil {
			of.ResultSummary = change(of.ResultSummary)
		}
	case *backend.Banner: // the Detail of other kinds is stored unchanged
		if of != nil && (of.Kind == backend.BannerAgentError || of.Kind == backend.BannerHistoryMismatch) {
			of.Detail = change(of.Detail)
		}
	case *backend.Block:
		if of != nil {
			eachMessage(of.Error, change)
		}
	case *backend.Error:
		if of != nil {
			of.Message = change(of.Message)
		}
	}
}

// toStored returns a copy of a struct that is stored as JSON. In the copy, all messages have their stored form.
func toStored(of any) any {
	switch o := of.(type) {
	case *backend.Tool:
		of = clone(o)
	case *backend.Banner:
		of = clone(o)
	case *backend.Block:
		if o = clone(o); o != nil {
			o.Error = clone(o.Error)
		}
		of = o
	case *backend.Error:
		of = clone(o)
	}
	eachMessage(of, stored)
	return of
}

func clone[T any](of *T) *T {
	if of == nil {
		return nil
	}
	c := *of
	return &c
}

// stored returns a message in its stored form, as plain text.
func stored(m backend.Message) backend.Message {
	isOld := false
	if m.Key() == "" {
		_, isOld = i18n.Old(m.String())
	}
	return backend.Plain(m.Stored(isOld))
}

// restored returns the message with the given stored form. A stored message from an earlier version of VoxPilot
// may have no key, or a key that no longer exists. If its wording is known, restored returns the message that
// replaced it.
func restored(text backend.Message) backend.Message {
	m, bare := backend.Restored(text.String())
	if bare || !i18n.Known(m) {
		if old, is := i18n.Old(m.String()); is {
			return old
		}
	}
	return m
}
