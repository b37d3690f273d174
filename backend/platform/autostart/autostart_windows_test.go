package autostart

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/windows/registry"
)

// writeRegistry sets a registry value and deletes it after the test.
func writeRegistry(t *testing.T, path string, set func(registry.Key) error) {
	t.Helper()
	key, _, err := registry.CreateKey(registry.CURRENT_USER, path, registry.SET_VALUE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = key.DeleteValue(name) // it may be deleted already
		_ = key.Close()
	})
	if err := set(key); err != nil {
		t.Fatal(err)
	}
}

func TestAutostart_WindowsUserCanDisable(t *testing.T) {
	if command, err := read(); command != "" || err != nil {
		t.Skip("the user of this computer starts VoxPilot at login")
	}
	expect := func(want bool) {
		t.Helper()
		if on, err := On(); on != want || err != nil {
			t.Fatalf("it is %v, %v", on, err)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { must(Set(false)) })
	expect(false)
	must(Set(false))
	must(Set(true))
	expect(true)
	self, err := os.Executable()
	must(err)
	want := `"` + self + `" --hidden`
	if command, err := read(); command != want || err != nil {
		t.Errorf("it starts %s, %v", command, err)
	}

	writeRegistry(t, approved, func(k registry.Key) error { return k.SetBinaryValue(name, []byte{3, 0, 0, 0}) })
	expect(false)
	must(Mend())
	expect(false)
	must(Set(true))
	expect(true)

	writeRegistry(t, run, func(k registry.Key) error { return k.SetStringValue(name, `"C:\gone\voxpilot.exe" --hidden`) })
	must(Mend())
	if command, err := read(); command != want || err != nil {
		t.Errorf("it is mended to %s, %v", command, err)
	}
	must(Set(false))
	expect(false)
	if command, err := read(); command != "" || errors.Is(err, registry.ErrNotExist) {
		t.Errorf("%s is left, %v", command, err)
	}
}
