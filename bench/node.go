package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
)

// nodeFolder is the folder of the Node client. Its dependencies are installed there the first time this bench runs.
const nodeFolder = "bench/node"

// beginNode measures the same as beginIngest. The baseline is a Node client that uses the official ACP SDK and a native
// SQLite. It gets the same bytes and processes them in the same way: it decodes and merges updates over the same
// interval, stores the same rows in a database with the same schema and pragmas, and builds the same batches for a
// window. Afterward, the text in both databases is compared with the agent's output, byte for byte.
func beginNode(ctx context.Context, after *ends) (ours, node side, err error) {
	if err := installNode(ctx); err != nil {
		return nil, nil, err
	}
	ours, _, err = beginIngest(ctx, after)
	return ours, func(ctx context.Context) (float64, error) { return promptNode(ctx, updatesOfFlood) }, err
}

// installNode installs the dependencies of the Node client from its lock file.
func installNode(ctx context.Context) error {
	lock, err := os.ReadFile(filepath.Join(nodeFolder, "package-lock.json"))
	if err != nil {
		return fmt.Errorf("run this in the project folder: %w", err)
	}
	stamp := filepath.Join(nodeFolder, "node_modules", ".installed")
	if installed, err := os.ReadFile(stamp); err == nil && bytes.Equal(installed, lock) {
		return nil
	}
	say("  installing the packages of the Node client")
	npm := exec.CommandContext(ctx, "npm", "ci")
	npm.Dir, npm.Stdout, npm.Stderr = nodeFolder, os.Stderr, os.Stderr
	if err := npm.Run(); err != nil {
		return err
	}
	return os.WriteFile(stamp, lock, 0o600)
}

// promptNode sends one prompt from the Node client to the benchmark agent and returns the updates per second.
func promptNode(ctx context.Context, updates int) (float64, error) {
	dir, err := os.MkdirTemp("", "voxpilot-bench-")
	if err != nil {
		return 0, err
	}
	perSecond, err := promptNodeIn(ctx, dir, updates)
	return perSecond, errors.Join(err, os.RemoveAll(dir))
}

func promptNodeIn(ctx context.Context, dir string, updates int) (float64, error) {
	script := flood + strconv.Itoa(updates)
	expected, err := scriptNamed(script)
	if err != nil {
		return 0, err
	}
	now := backend.Now()
	chat := backend.Chat{ID: backend.NewID(), Title: "Bench", Folder: dir, ProviderID: backend.ProviderCopilot, CreatedAt: now, UpdatedAt: now}
	err = withStore(ctx, dir, func(db *store.Store) error { return db.Apply(ctx, []backend.Event{{Chat: &chat}}, true) })
	if err != nil {
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	config, err := json.Marshal(map[string]string{
		"agent": self, "database": filepath.Join(dir, "voxpilot.db"), "chat": chat.ID, "folder": dir,
		"greeting": greeting, "prompt": "measure",
	})
	if err != nil {
		return 0, err
	}
	client := exec.CommandContext(ctx, "node", filepath.Join(nodeFolder, "client.mjs"), string(config))
	client.Env = append(os.Environ(), scriptVar+"="+script, "NODE_ENV=production")
	client.Stderr = os.Stderr
	out, err := client.Output()
	if err != nil {
		return 0, fmt.Errorf("the Node client: %w", err)
	}
	var measured struct {
		MS      float64 `json:"ms"`
		Emitted int     `json:"emitted"`
	}
	if err := json.Unmarshal(out, &measured); err != nil {
		return 0, fmt.Errorf("the Node client printed %q: %w", out, err)
	}
	if measured.Emitted < len(expected.text) {
		return 0, fmt.Errorf("the Node client emitted %d bytes for a text of %d bytes", measured.Emitted, len(expected.text))
	}
	err = withStore(ctx, dir, func(db *store.Store) error { return checkStoredText(ctx, db, chat.ID, expected) })
	took := time.Duration(measured.MS * float64(time.Millisecond))
	return float64(updates) / took.Seconds(), err
}

// withStore opens the database in dir, passes it to the function do, and closes it.
func withStore(ctx context.Context, dir string, do func(*store.Store) error) error {
	db, _, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}
