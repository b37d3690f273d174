package auth

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// ghTime bounds gh: it waits for a keychain that is locked for ever.
const ghTime = 3 * time.Second

// askGH asks gh for the token that it has for the host. hangs says that gh did
// not answer in time, so that nothing is known.
func (d *Desk) askGH(ctx context.Context) (token, program string, hangs bool) {
	if d.cfg.GH == nil {
		return "", "", false
	}
	program = d.cfg.GH(ctx)
	if program == "" {
		return "", "", false
	}
	limited, cancel := context.WithTimeout(ctx, ghTime)
	defer cancel()
	cmd := exec.CommandContext(limited, program, "auth", "token", "--hostname", d.host)
	if home, err := os.UserHomeDir(); err == nil {
		cmd.Dir = home // VoxPilot's own folder may be a repository
	}
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		// gh would only repeat the token of a variable.
		name, _, _ := strings.Cut(v, "=")
		return strings.HasSuffix(strings.ToUpper(name), "_TOKEN")
	})
	cmd.Env = append(cmd.Env, "GH_PROMPT_DISABLED=1")
	cmd.WaitDelay = time.Second // for what it has started
	hideWindow(cmd)
	out := limit{max: maxToken + 100}
	cmd.Stdout = &out
	err := cmd.Run()
	if limited.Err() != nil {
		d.cfg.Log.Warn("gh did not answer", "path", program)
		return "", program, true
	}
	if err != nil {
		d.cfg.Log.Info("gh has no token", "path", program, "err", err)
		return "", program, false
	}
	return strings.TrimSpace(string(out.kept)), program, false
}

// limit keeps the beginning of what is written to it.
type limit struct {
	max  int
	kept []byte
}

func (l *limit) Write(p []byte) (int, error) {
	l.kept = append(l.kept, p[:min(len(p), l.max-len(l.kept))]...)
	return len(p), nil
}
