package store

import (
	"context"
	"reflect"

	"gorm.io/gorm/schema"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// said keeps messages, and structs that have some as JSON, in columns of text: a
// message as backend.Message.Stored has it, so that an older VoxPilot reads its
// English.
type said struct{ schema.JSONSerializer }

func init() { schema.RegisterSerializer("said", said{}) }

// Value returns what the column holds.
func (s said) Value(ctx context.Context, field *schema.Field, row reflect.Value, value any) (any, error) {
	if m, is := value.(backend.Message); is {
		return stored(m).String(), nil
	}
	return s.JSONSerializer.Value(ctx, field, row, keeping(value))
}

// Scan reads a column.
func (s said) Scan(ctx context.Context, field *schema.Field, row reflect.Value, value any) error {
	if field.FieldType == reflect.TypeFor[backend.Message]() {
		text, _ := value.(string)
		return field.Set(ctx, row, restored(backend.Plain(text)))
	}
	if err := s.JSONSerializer.Scan(ctx, field, row, value); err != nil {
		return err
	}
	each(field.ReflectValueOf(ctx, row).Interface(), restored)
	return nil
}

// each has change change the messages of a struct that is kept as JSON.
func each(of any, change func(backend.Message) backend.Message) {
	switch of := of.(type) {
	case *backend.Tool:
		if of != nil {
			of.Fact = change(of.Fact)
		}
	case *backend.Banner: // of others it is a name or a title
		if of != nil && (of.Kind == backend.BannerAgentError || of.Kind == backend.BannerDiffers) {
			of.Detail = change(of.Detail)
		}
	case *backend.Block:
		if of != nil {
			each(of.Error, change)
		}
	case *backend.Error:
		if of != nil {
			of.Message = change(of.Message)
		}
	}
}

// keeping returns a copy of such a struct with its messages as they are stored.
func keeping(of any) any {
	switch o := of.(type) {
	case *backend.Tool:
		of = copied(o)
	case *backend.Banner:
		of = copied(o)
	case *backend.Block:
		if o = copied(o); o != nil {
			o.Error = copied(o.Error)
		}
		of = o
	case *backend.Error:
		of = copied(o)
	}
	each(of, stored)
	return of
}

func copied[T any](of *T) *T {
	if of == nil {
		return nil
	}
	c := *of
	return &c
}

// stored is a message as a text alone.
func stored(m backend.Message) backend.Message {
	isOld := false
	if m.Key() == "" {
		_, isOld = i18n.Old(m.String())
	}
	return backend.Plain(m.Stored(isOld))
}

// restored returns the message that was stored. One without a key, or with a key that
// was reworded, may be a sentence of an earlier VoxPilot.
func restored(text backend.Message) backend.Message {
	m, bare := backend.Restored(text.String())
	if bare || !i18n.Known(m) {
		if old, is := i18n.Old(m.String()); is {
			return old
		}
	}
	return m
}
