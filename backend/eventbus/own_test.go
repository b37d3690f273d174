package eventbus

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

// randomEvent returns an event of kind k with every field set. Each call for the same
// kind returns an equal event.
func randomEvent(t *testing.T, k *backend.EventKind) (e backend.Event) {
	t.Helper()
	field := reflect.ValueOf(&e).Elem().FieldByName(k.Name)
	fill(field)
	return e
}

// fill sets v and everything in it to non-zero values.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(1)
	case reflect.String:
		v.SetString("text")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if _, is := v.Interface().(backend.Message); is {
			v.Set(reflect.ValueOf(backend.Plain("text")))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Float64:
		v.SetFloat(1.5)
	default:
		panic("an event has a field of kind " + v.Kind().String())
	}
}

// sharedPaths returns the paths of the fields in which two equal values share memory. Each result starts with path,
// which is the path of the values themselves.
func sharedPaths(path string, a, b reflect.Value) (paths []string) {
	switch a.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if a.IsNil() || a.Kind() == reflect.Slice && a.Len() == 0 {
			return nil
		}
		if a.UnsafePointer() == b.UnsafePointer() {
			return []string{path}
		}
	default:
	}
	switch a.Kind() {
	case reflect.Pointer:
		return sharedPaths(path, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			paths = append(paths, sharedPaths(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))...)
		}
	case reflect.Slice:
		for i := range a.Len() {
			paths = append(paths, sharedPaths(path+"[]", a.Index(i), b.Index(i))...)
		}
	default:
	}
	return paths
}

func TestOwn_SharesOnlyBodies(t *testing.T) {
	bodies := map[string][]string{
		"Content": {".Content.Body"}, "Permission": {".Permission.Raw"}, "UnknownUpdate": {".UnknownUpdate.Raw"},
		"ReviewComment": {".ReviewComment.SeenText"},
	}
	for i := range backend.Kinds {
		k := &backend.Kinds[i]
		t.Run(k.Name, func(t *testing.T) {
			e := randomEvent(t, k)
			copied := detach(e)
			if diff := cmp.Diff(e, copied); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(bodies[k.Name], sharedPaths("", reflect.ValueOf(e), reflect.ValueOf(copied))); diff != "" {
				t.Errorf("shared (-want +got):\n%s", diff)
			}
		})
	}
}

func TestQueue_JoinsByTable(t *testing.T) {
	for i := range backend.Kinds {
		k := &backend.Kinds[i]
		t.Run(k.Name, func(t *testing.T) {
			first := randomEvent(t, k)
			second := detach(first)
			for _, body := range k.Bodies {
				k.Value(&second).Elem().FieldByName(body).SetZero()
			}
			if k.Join == backend.JoinText {
				second.Text.Offset += int64(len(first.Text.Text))
			}
			want := 1
			if k.Join == backend.JoinNever {
				want = 2
			}
			var q queue
			q.add(first)
			q.add(second)
			if got := len(q.groups[0].entries); got != want {
				t.Fatalf("got %d events, want %d", got, want)
			}
			if k.Join == backend.JoinNewest {
				if diff := cmp.Diff(first, q.groups[0].events()[0]); diff != "" {
					t.Errorf("the bodies are not taken over (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestRetained_MatchesTable(t *testing.T) {
	for i := range backend.Kinds {
		k := &backend.Kinds[i]
		t.Run(k.Name, func(t *testing.T) {
			var h retained
			e := randomEvent(t, k)
			if !h.note(k, &e) {
				t.Fatal("it has no effect")
			}
			var want []backend.Event
			if k.Lifetime == backend.Retained && !k.Removes() {
				want = []backend.Event{e}
			}
			if diff := cmp.Diff(want, h.events()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
