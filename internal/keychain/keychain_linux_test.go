package keychain_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/keychain"
	"github.com/voxpilot/voxpilot/internal/need"
)

// sceneVar is the environment variable that names the scene that this process must run:
// the tests start the test binary again in a separate D-Bus session.
const sceneVar = "VOXPILOT_KEYCHAIN_SCENE"

var scenes = map[string]func() error{
	"works":   checkWorks,
	"broken":  checkFallback,
	"no bus":  checkNoBus,
	"hanging": checkHanging,
	"restart": checkServiceReturns,
}

func TestMain(m *testing.M) {
	if scene := os.Getenv(sceneVar); scene != "" {
		if err := scenes[scene](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

const unlock = `printf "%s" "test-pw" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$0"`

func TestKeychain_RealSecretServiceStoresSecrets(t *testing.T) {
	t.Parallel()
	runScene(t, "works", "dbus-run-session", "--", "sh", "-c", unlock)
}

func TestKeychain_LockedIsUnavailable(t *testing.T) {
	t.Parallel()
	// The bus starts the service, which then waits to be unlocked.
	runScene(t, "broken", "dbus-run-session", "--", "sh", "-c", `exec "$0"`)
}

func TestKeychain_BusWithoutServiceIsUnavailable(t *testing.T) {
	t.Parallel()
	runScene(t, "broken", "dbus-run-session", "--config-file="+emptyBusConfig(t), "--")
}

func TestKeychain_LostBusIsUnavailable(t *testing.T) {
	t.Parallel()
	runScene(t, "broken", "env", "DBUS_SESSION_BUS_ADDRESS=unix:path="+filepath.Join(t.TempDir(), "none"))
}

func TestKeychain_StartsNoBus(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err == nil {
		need.Missing(t, "a session without a bus: /run/user/%d/bus is always found", os.Getuid())
	}
	runScene(t, "no bus", "env", "-u", "DBUS_SESSION_BUS_ADDRESS")
}

func TestKeychain_HangBlocksOneCallOnly(t *testing.T) {
	t.Parallel()
	runScene(t, "hanging", "dbus-run-session", "--config-file="+emptyBusConfig(t), "--")
}

func TestKeychain_MemorySecretMovesOnceAvailable(t *testing.T) {
	t.Parallel()
	runScene(t, "restart", "dbus-run-session", "--config-file="+emptyBusConfig(t), "--")
}

// runScene runs a scene in a new process of the test binary with a separate home directory. The process is started by
// command, to which runScene adds the path of the test binary.
func runScene(t *testing.T, scene string, command ...string) {
	t.Helper()
	need.Programs(t, command[0], "dbus-daemon", "gnome-keyring-daemon")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "keychain") //nolint:usetesting // t.TempDir is too long for a socket path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	runtimeDir := filepath.Join(dir, "run")
	if err := os.Mkdir(runtimeDir, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), command[0], append(command[1:], self)...)
	cmd.Env = append(os.Environ(), sceneVar+"="+scene, "HOME="+dir, "XDG_RUNTIME_DIR="+runtimeDir,
		"XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "DISPLAY=", "WAYLAND_DISPLAY=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// emptyBusConfig returns the path of a configuration for a bus that starts no services.
func emptyBusConfig(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bus.conf")
	err := os.WriteFile(path, []byte(`<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><keep_umask/><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func checkWorks() error {
	if err := checkStoresSecrets(); err != nil {
		return err
	}
	// Everything that was set has been deleted, including all parts.
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		return err
	}
	defer bus.Close()
	var unlocked, locked []dbus.ObjectPath
	err = bus.Object("org.freedesktop.secrets", "/org/freedesktop/secrets").
		Call("org.freedesktop.Secret.Service.SearchItems", 0, map[string]string{"service": testService}).Store(&unlocked, &locked)
	if err != nil || len(unlocked)+len(locked) > 0 {
		return fmt.Errorf("%d entries are left, %w", len(unlocked)+len(locked), err)
	}
	return nil
}

func checkNoBus() error {
	if err := checkFallback(); err != nil {
		return err
	}
	// The client sets the variable in its own process if it starts a bus.
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		return fmt.Errorf("a bus was started: %s", address)
	}
	return nil
}

// hangingService is a Secret Service that blocks until the test lets it answer.
type hangingService struct {
	calls  chan string
	answer chan struct{}
}

func (s *hangingService) Unlock(_ []dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	s.calls <- "Unlock"
	<-s.answer
	return nil, "/", dbus.NewError("org.freedesktop.DBus.Error.Failed", []any{"the answer came late"})
}

func checkHanging() error {
	bus, err := dbus.ConnectSessionBus()
	if err != nil {
		return err
	}
	defer bus.Close()
	s := &hangingService{calls: make(chan string, 100), answer: make(chan struct{})}
	if err := bus.Export(s, "/org/freedesktop/secrets", "org.freedesktop.Secret.Service"); err != nil {
		return err
	}
	if reply, err := bus.RequestName("org.freedesktop.secrets", dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		return fmt.Errorf("the name is not ours: %v, %w", reply, err)
	}

	ctx := context.Background()
	e := entry("provider/1")
	if _, err := keychain.Get(ctx, e); !errors.Is(err, keychain.ErrUnavailable) || !strings.Contains(err.Error(), "didn't respond") {
		return fmt.Errorf("the first Get: %w", err)
	}
	if len(s.calls) != 1 {
		return fmt.Errorf("%d calls reached the service, want 1", len(s.calls))
	}
	goroutines := runtime.NumGoroutine()
	var f keychain.Fallback
	for range 50 {
		if _, err := keychain.Get(ctx, e); !errors.Is(err, keychain.ErrUnavailable) || !strings.Contains(err.Error(), "earlier request") {
			return fmt.Errorf("a later Get: %w", err)
		}
		if place, err := f.Set(ctx, e, "key"); err != nil || place != backend.KeyMemory {
			return fmt.Errorf("Fallback.Set: %q, %w", place, err)
		}
		if got, place, err := f.Get(ctx, e); err != nil || got != "key" || place != backend.KeyMemory {
			return fmt.Errorf("Fallback.Get: %q, %q, %w", got, place, err)
		}
	}
	if n := runtime.NumGoroutine(); len(s.calls) != 1 || n > goroutines {
		return fmt.Errorf("%d calls reached the service; %d goroutines were %d", len(s.calls), n, goroutines)
	}

	close(s.answer)
	for {
		_, err := keychain.Get(ctx, e)
		if !errors.Is(err, keychain.ErrUnavailable) {
			return fmt.Errorf("after the late answer: %w", err)
		}
		if strings.Contains(err.Error(), "came late") && len(s.calls) == 2 {
			return nil
		}
	}
}

// checkServiceReturns checks that the keychain becomes usable when its service appears
// on the bus later.
func checkServiceReturns() error {
	ctx := context.Background()
	e := entry("provider/1")
	var f keychain.Fallback
	if place, err := f.Set(ctx, e, "key"); err != nil || place != backend.KeyMemory {
		return fmt.Errorf("Fallback.Set: %q, %w", place, err)
	}
	if err := exec.Command("sh", "-c", strings.ReplaceAll(unlock, `exec "$0"`, ":")).Run(); err != nil {
		return err
	}
	deadline := time.Now().Add(time.Minute)
	for keychain.Check(ctx) != nil && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if got, place, err := f.Get(ctx, e); err != nil || got != "key" || place != backend.KeyKeychain {
		return fmt.Errorf("Fallback.Get: %q, %q, %w", got, place, err)
	}
	if got, err := keychain.Get(ctx, e); err != nil || got != "key" {
		return fmt.Errorf("Get: %q, %w", got, err)
	}
	return nil
}
