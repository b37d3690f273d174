package engine

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/llm"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// launch returns the launch parameters for a chat's agent. It is called each time the agent starts, because the chat's
// agent and its parameters may have changed since the last start.
func (g *agents) launch(ctx context.Context, chatID string) (agent.Launch, *agent.LaunchError) {
	return g.launchAs(ctx, chatID, chatID)
}

// launchAs is like launch, but the guard and the sandbox identify the agent by the given ID. If that isn't the chat's
// ID, the agent runs in the chat's folder in addition to the chat's own agent, and the user must have trusted the
// folder.
func (g *agents) launchAs(ctx context.Context, chatID, id string) (agent.Launch, *agent.LaunchError) {
	chat, err := g.e.Chats.Get(chatID)
	if err != nil {
		return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseSpawnFailed, Message: backend.MessageOf(err)}
	}
	if id == chatID {
		g.e.Trust.NewStart(chatID)
	}
	var l agent.Launch
	switch by := chat.ProviderID; {
	case by == backend.ProviderCopilot:
		l, err = g.launchCopilot(ctx, chat)
	case by == backend.ProviderPractice:
		l, err = g.launchPractice()
	case g.e.Setup.IsCustomAgent(by):
		l, err = g.launchProfile(ctx, chat)
	default:
		l, err = g.launchModel(ctx, by)
	}
	if err != nil {
		var why *launchError
		if errors.As(err, &why) {
			return agent.Launch{}, &why.LaunchError
		}
		return agent.Launch{}, &agent.LaunchError{Cause: backend.CauseProviderMissing, Message: backend.MessageOf(err)}
	}
	switch {
	case l.Path == "" && l.Address == "": // all but custom agents
		cli := g.e.usableCLI()
		if err := agent.LaunchErrorOf(cli); err != nil {
			return agent.Launch{}, err
		}
		l.Path, l.Args = cli.Path, append(copilot.Args(), l.Args...)
		l = g.e.withGuard(l, id)
	case isCopilot(l.Path) && g.e.versions.IsUsable(ctx, l.Path, g.e.Shell.Recent):
		l = g.e.withGuard(l, id)
	}
	if l.Env != nil {
		l.Env = append(l.Env, "PATH="+g.e.LoginPath())
		l.Login = g.e.Shell.Shell().Vars
	}
	l.Redact = g.e.Redacted
	if id != chatID {
		chat.ID, chat.Sandbox.Masked = id, false
	}
	return l, g.e.wholeAgents.Wrap(ctx, chat, &l)
}

// launchError makes an agent.LaunchError usable as an error.
type launchError struct{ agent.LaunchError }

func (e *launchError) Error() string { return e.Message.String() }

// launchCopilot returns the parameters for starting the CLI with the user's sign-in and environment.
func (g *agents) launchCopilot(ctx context.Context, chat backend.Chat) (agent.Launch, error) {
	l := agent.Launch{Env: g.e.environ()}
	home, err := g.home(ctx, chat.ID, g.e.Setup.Settings().CopilotHome)
	if err != nil {
		return l, err
	}
	if home != "" {
		l.Home = home
		l.Env = append(l.Env, "COPILOT_HOME="+home)
	}
	return g.signedIn(ctx, chat.ID, l, true)
}

// launchPractice returns the parameters for starting the CLI with the built-in scripted model server.
func (g *agents) launchPractice() (agent.Launch, error) {
	server, err := g.practiceServer()
	if err != nil {
		return agent.Launch{}, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't start the practice model: %s", err)}
	}
	l := agent.Launch{Home: filepath.Join(g.e.Dir, "practice", "copilot")}
	l.Env = append(environment.WithoutGitHub(g.e.environ()), server.Env(l.Home)...)
	return l, nil
}

// launchModel returns the parameters for starting the CLI with a model that the user has added.
func (g *agents) launchModel(ctx context.Context, id string) (agent.Launch, error) {
	p, key, err := g.e.Setup.ProviderWithKey(ctx, id)
	if err != nil {
		return agent.Launch{}, err
	}
	own := agent.OwnModel{Name: p.Name, Host: p.BaseURL, ID: p.Model}
	if at, err := url.Parse(p.BaseURL); err == nil && at.Host != "" {
		own.Host = at.Host
	}
	l := agent.Launch{Home: filepath.Join(g.e.Dir, "models", p.ID), Model: own}
	l.Env, l.Secrets = append(environment.WithoutGitHub(g.e.environ()), llm.Env(p, key, l.Home)...), []string{key}
	return l, nil
}

// launchProfile returns the parameters for a custom agent. Such an agent has its own sign-in and gets GitHub
// credentials only if the user enabled that.
func (g *agents) launchProfile(ctx context.Context, chat backend.Chat) (agent.Launch, error) {
	p, env, err := g.e.Setup.CustomAgentWithEnv(ctx, chat.ProviderID)
	if err != nil {
		return agent.Launch{}, err
	}
	if p.Address != "" {
		return agent.Launch{Name: p.Name, Address: p.Address}, nil
	}
	l := agent.Launch{Name: p.Name, Args: p.Args, Env: append(environment.WithoutGitHub(g.e.environ()), env...)}
	var searched []string
	if l.Path, searched = environment.LookUp(p.Command, g.e.LoginPath()); l.Path == "" {
		return agent.Launch{}, &launchError{agent.LaunchError{
			Cause:    backend.CauseProviderMissing,
			Message:  backend.Say("Can't find the program %s for %s. Install it, or fix its command in Settings.", p.Command, p.Name),
			Searched: searched,
		}}
	}
	home, err := g.home(ctx, chat.ID, p.Home)
	if home != "" {
		l.Home = home
		l.Env = append(l.Env, "COPILOT_HOME="+home)
	}
	if err != nil || !p.GitHub {
		return l, err
	}
	if host := os.Getenv(environment.HostVar); host != "" {
		l.Env = append(l.Env, environment.HostVar+"="+host)
	}
	return g.signedIn(ctx, chat.ID, l, isCopilot(l.Path))
}

// home returns the value of COPILOT_HOME for a chat. If the chat's main session has had a prompt, this is the directory
// that contains the session, because the CLI finds sessions only in COPILOT_HOME. Otherwise, it is the given directory,
// which comes from the settings or the custom agent's configuration.
func (g *agents) home(ctx context.Context, chatID, chosen string) (string, error) {
	sessions, err := g.e.Store.Sessions(ctx, chatID)
	for _, s := range sessions {
		if s.Name == backend.SessionMain && s.HadPrompt {
			return s.Home, nil
		}
	}
	return chosen, err
}

func (g *agents) practiceServer() (*practice.Server, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.practice != nil {
		return g.practice, nil
	}
	if g.closed {
		return nil, backend.Problem("VoxPilot is closing")
	}
	server, err := practice.New(practice.Guide())
	if err == nil {
		g.practice = server
	}
	return server, err
}
