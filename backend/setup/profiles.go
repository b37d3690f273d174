package setup

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// envOf is where the values of a profile's environment are kept in the keychain:
// a JSON object, all of them in one entry, so that they change together.
func envOf(profileID string) keychain.Entry {
	return keychain.Entry{Service: keychain.Service, Account: "profile/" + profileID}
}

// Profile is an agent of the user's own. The error is that it was removed.
func (d *Desk) Profile(id string) (backend.Profile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.profiles[id]
	if !ok {
		return p, errNobodyAnswers
	}
	p.Args, p.Env = slices.Clone(p.Args), slices.Clone(p.Env)
	return p, nil
}

// IsProfile says whether an id is that of an agent of the user's own.
func (d *Desk) IsProfile(id string) bool {
	_, err := d.Profile(id)
	return err == nil
}

// ProfileWithEnv is a profile and its environment variables, NAME=value each.
func (d *Desk) ProfileWithEnv(ctx context.Context, id string) (backend.Profile, []string, error) {
	p, err := d.Profile(id)
	if err != nil || len(p.Env) == 0 {
		return p, nil, err
	}
	values, place, err := d.envValues(ctx, p)
	if err != nil {
		if errors.Is(err, keychain.ErrNotFound) {
			p.Key = backend.KeyMissing
			d.putProfile(p)
		}
		return p, nil, envUnreadable(p, err)
	}
	if place != p.Key {
		p.Key = place
		d.putProfile(p)
	}
	env := make([]string, 0, len(p.Env))
	for _, name := range p.Env {
		env = append(env, name+"="+values[name])
	}
	return p, env, nil
}

// envValues are the values of a profile's environment. None of them is ever
// logged or shown.
func (d *Desk) envValues(ctx context.Context, p backend.Profile) (map[string]string, backend.KeyPlace, error) {
	stored, place, err := d.cfg.Keys.Get(ctx, envOf(p.ID))
	if err != nil {
		return nil, place, err
	}
	values := map[string]string{}
	if err := json.Unmarshal([]byte(stored), &values); err != nil {
		return nil, place, keychain.ErrNotFound // nobody can read it any more
	}
	for _, v := range values {
		d.cfg.Redact(v)
	}
	return values, place, nil
}

func envUnreadable(p backend.Profile, err error) error {
	if errors.Is(err, keychain.ErrNotFound) {
		return &backend.Error{Code: backend.CodeAuth, Message: backend.Say("The variables for %s are no longer in the keychain. Enter them again in Settings.", p.Name)}
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The system keychain is locked. Unlock it so VoxPilot can read the variables for %s, then try again.", p.Name), Detail: err.Error()}
}

// putProfile keeps a profile's row and tells the window.
func (d *Desk) putProfile(p backend.Profile) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.profiles[p.ID]; ok {
		d.profiles[p.ID] = p
		d.cfg.Publish(backend.Event{Profile: &p})
	}
}

// SaveProfile keeps a profile; the values of its environment go to the keychain
// first, so that a row never speaks of values that are nowhere, and come back out
// of it where the row cannot be kept.
func (d *Desk) SaveProfile(ctx context.Context, p backend.Profile, env map[string]string) (backend.Profile, error) {
	p, err := checkProfile(p)
	if err != nil {
		return p, err
	}
	old := map[string]string{}
	if p.ID == "" {
		p.ID, p.CreatedAt, p.Key = backend.NewID(), backend.Now(), backend.KeyNone
	} else {
		was, err := d.Profile(p.ID)
		if err != nil {
			return p, err
		}
		p.Key, p.CreatedAt = was.Key, was.CreatedAt
		if len(was.Env) > 0 {
			// Where all values are given anew, those that cannot be read are not
			// missed.
			if old, _, err = d.envValues(ctx, was); err != nil && !errors.Is(err, keychain.ErrNotFound) {
				return p, envUnreadable(was, err)
			}
		}
	}
	values := map[string]string{}
	for _, name := range p.Env {
		value := env[name]
		if value == "" {
			value = old[name]
		}
		if value == "" {
			return p, backend.Invalid("The variable %s has no value yet. Enter one, or remove it.", name)
		}
		if strings.ContainsRune(value, 0) {
			return p, backend.Invalid("The value of %s contains a zero byte.", name)
		}
		d.cfg.Redact(value)
		values[name] = value
	}
	undo := func() {}
	if !maps.Equal(values, old) || p.Key == backend.KeyMissing {
		place, back, err := d.keep(ctx, envOf(p.ID), secretOf(values), secretOf(old))
		if err != nil {
			return p, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't save the variables: %s", err)}
		}
		p.Key, undo = place, back
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.cfg.Commit(ctx, backend.Event{Profile: &p}); err != nil {
		undo()
		return p, backend.NotSaved(backend.Say("the agent"), err)
	}
	d.profiles[p.ID] = p
	return p, nil
}

// secretOf is what the keychain has of the values of an environment; "" where
// there are none.
func secretOf(values map[string]string) string {
	if len(values) == 0 {
		return ""
	}
	b, err := json.Marshal(values)
	if err != nil {
		panic(err) // strings are always JSON
	}
	return string(b)
}

// DeleteProfile removes a profile and the values of its environment. Chats it
// answered stay; their next message is told that the agent is not set up any
// more.
func (d *Desk) DeleteProfile(ctx context.Context, id string) error {
	p, err := d.Profile(id)
	if err != nil {
		return err
	}
	err = d.cfg.Keys.Delete(ctx, envOf(id))
	if p.Key == backend.KeyKeychain && err != nil && !errors.Is(err, keychain.ErrNotFound) {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't remove the variables from the keychain, so the agent wasn't removed. Unlock the keychain and try again."), Detail: err.Error()}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.cfg.Commit(ctx, backend.Event{ProfileGone: &backend.Gone{ID: id}}); err != nil {
		return backend.NotSaved(backend.Say("the change"), err)
	}
	delete(d.profiles, id)
	return nil
}

// The limits of a profile; none is near what an agent needs.
const (
	maxProfileName = 100
	maxArgs        = 100
	maxArgBytes    = 4096
)

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkProfile trims a profile and refuses one that cannot be started.
func checkProfile(p backend.Profile) (backend.Profile, error) {
	p.Name = strings.Join(strings.Fields(p.Name), " ")
	p.Command, p.Address, p.Home = strings.TrimSpace(p.Command), strings.TrimSpace(p.Address), strings.TrimSpace(p.Home)
	switch {
	case p.Name == "":
		return p, backend.Invalid("Enter a name for the agent.")
	case len(p.Name) > maxProfileName:
		return p, backend.Invalid("The name is too long. The limit is %d characters.", maxProfileName)
	case p.Command == "" && p.Address == "":
		return p, backend.Invalid("Enter the command that starts the agent, or the address of a running one.")
	case p.Command != "" && p.Address != "":
		return p, backend.Invalid("Enter either a command or an address, not both.")
	}
	if p.Address != "" {
		host, port, err := net.SplitHostPort(p.Address)
		n, _ := strconv.Atoi(port)
		if err != nil || host == "" || n < 1 || n > 65535 {
			return p, backend.Invalid("Enter a host and port, such as 127.0.0.1:4567.")
		}
		p.Args, p.Env, p.Home, p.GitHub = nil, nil, "", false // they are of whoever started it
		return p, nil
	}
	if strings.ContainsAny(p.Command, "\x00\n\r") {
		return p, backend.Invalid("The command must be a single program. List its arguments separately, one per line.")
	}
	if strings.ContainsRune(p.Command, filepath.Separator) && !filepath.IsAbs(p.Command) {
		return p, backend.Invalid("%s isn't a full path. Enter a full path, or only the program's name.", p.Command)
	}
	if len(p.Args) > maxArgs {
		return p, backend.Invalid("An agent can have at most %d arguments.", maxArgs)
	}
	for _, arg := range p.Args {
		if len(arg) > maxArgBytes || strings.ContainsRune(arg, 0) {
			return p, backend.Invalid("An argument is longer than %d bytes or contains a zero byte.", maxArgBytes)
		}
	}
	for i, name := range p.Env {
		switch upper := strings.ToUpper(name); {
		case !envName.MatchString(name):
			return p, backend.Invalid("%q isn't a valid variable name. Use letters, digits and _, and don't start with a digit.", name)
		case slices.Contains(p.Env[:i], name):
			return p, backend.Invalid("The variable %s is listed twice. Remove one.", name)
		case upper == "COPILOT_ALLOW_ALL":
			return p, backend.Invalid("COPILOT_ALLOW_ALL would turn off all permission requests. Choose \"Allow everything\" in a chat instead.")
		}
	}
	if p.Home != "" && !filepath.IsAbs(p.Home) {
		return p, backend.Invalid("%s isn't a full path. Enter a full path.", p.Home)
	}
	return p, nil
}
