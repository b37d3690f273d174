package auth_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
	"github.com/voxpilot/voxpilot/internal/keychain"
	"github.com/voxpilot/voxpilot/internal/need"
)

func init() { scenes["secret service"] = signInWithSecretService }

const unlock = `printf test-pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1`

func TestKeychain_RealSecretServiceStoresSignIn(t *testing.T) {
	need.Programs(t, "dbus-run-session", "gnome-keyring-daemon", "dbus-send")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "auth") //nolint:usetesting // t.TempDir is too long for a socket path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "dbus-run-session", "--", "sh", "-c", unlock+`; exec "$0"`, self)
	cmd.Env = append(os.Environ(), sceneVar+"=secret service", "HOME="+dir, "XDG_RUNTIME_DIR="+filepath.Join(dir, "run"),
		"XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "DISPLAY=", "WAYLAND_DISPLAY=", "GNOME_KEYRING_CONTROL=")
	// A keyring that D-Bus starts may stay after the session. It must not keep the test waiting for its output.
	out, err := os.Create(filepath.Join(dir, "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(out.Name())
		t.Errorf("%v\n%s", err, text)
	}
}

// signInWithSecretService signs in, locks and unlocks the keyring, and signs out,
// restarting VoxPilot before each step.
func signInWithSecretService() error {
	github := fakegithub.New()
	github.Grant(pasted, octocat)
	ctx := context.Background()
	var login backend.Login
	open := func() *auth.Manager {
		cfg := configFor(os.Getenv)
		cfg.Base, cfg.Client = github.Base, github.Client()
		if login.ID != "" {
			cfg.Logins = []backend.Login{login}
		}
		cfg.Commit = func(_ context.Context, events ...backend.Event) error {
			for _, e := range events {
				if e.Login != nil {
					login = *e.Login
				}
			}
			return nil
		}
		return auth.New(cfg)
	}
	check := func(what string, want backend.Cause) error {
		manager := open()
		defer manager.Close()
		token, refusal := manager.Check(ctx)
		switch {
		case want != "" && (refusal == nil || refusal.Cause != want):
			return fmt.Errorf("%s: %+v, want %q", what, refusal, want)
		case want == "" && (refusal != nil || token.Secret != pasted || !token.Verified):
			return fmt.Errorf("%s: verified %v, %+v", what, token.Verified, refusal)
		}
		return nil
	}

	manager := open()
	err := manager.UseToken(ctx, pasted)
	manager.Close()
	if err != nil || login.Key != backend.KeyKeychain {
		return fmt.Errorf("signing in: %w; the row is %+v", err, login)
	}
	if err := check("after a start", ""); err != nil {
		return err
	}
	out, err := exec.Command("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
		"org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login").CombinedOutput()
	if err != nil {
		return fmt.Errorf("locking: %w: %s", err, out)
	}
	if err := check("locked", backend.CauseLocked); err != nil {
		return err
	}
	// No user can type the password, so the daemon is restarted with it.
	if err := exec.Command("sh", "-c", strings.Replace(unlock, "--unlock", "--replace --unlock", 1)).Run(); err != nil {
		return err
	}
	if err := check("unlocked", ""); err != nil {
		return err
	}
	manager = open()
	manager.Start()
	if _, refusal := manager.Check(ctx); refusal != nil {
		return fmt.Errorf("before signing out: %+v", *refusal)
	}
	err = manager.SignOut(ctx)
	manager.Close()
	if err != nil {
		return fmt.Errorf("signing out: %w", err)
	}
	if _, err := keychain.Get(ctx, keychain.Entry{Service: keychain.Service, Account: login.ID}); !errors.Is(err, keychain.ErrNotFound) {
		return fmt.Errorf("after signing out: %w", err)
	}
	if bad := github.Unexpected(); len(bad) > 0 {
		return errors.New(strings.Join(bad, "; "))
	}
	return nil
}
