package runs

import (
	"context"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sandbox/proxy"
	"github.com/voxpilot/voxpilot/internal/hostname"
)

// allow decides whether a chat's command may reach a host (proxy.Config.Allow). If neither the user's rules nor the
// lists of sites decide this, and the settings say that VoxPilot should ask, allow waits for the user's answer.
func (m *Manager) allow(ctx context.Context, chatID string, c Command, network backend.SandboxNetwork, host string, port int) proxy.Answer {
	chat, err := m.cfg.Chat(chatID)
	if err != nil || network != backend.NetworkSites {
		return proxy.Refuse
	}
	rule := m.cfg.HostRule(c.Folder, host, port)
	if rule == backend.RuleDeny {
		return proxy.Refuse
	}
	s := m.cfg.Settings()
	switch covered := hostname.Match(m.listed(ctx, chat, s), host, port); {
	case covered == hostname.ByName || rule == backend.RuleAllow:
		return proxy.AllowPrivate
	case covered == hostname.ByStar:
		return proxy.Allow
	case s.WhenBlocked != backend.BlockedAsk:
		return proxy.Refuse
	}
	if m.ask(ctx, chatID, c, host, port) {
		return proxy.AllowPrivate
	}
	return proxy.Refuse
}

// listed returns the list of sites that a chat's commands may reach without asking. It waits until the sites of the
// package managers are known, or ctx ends.
func (m *Manager) listed(ctx context.Context, chat backend.Chat, s backend.SandboxSettings) []string {
	m.FindSites()
	select {
	case <-m.sited:
	case <-ctx.Done():
	case <-m.ctx.Done():
	}
	list := slices.Concat(s.Sites, chat.Sandbox.Sites)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, site := range m.status.Sites {
		if !slices.Contains(s.BlockedSites, site.Host) {
			list = append(list, site.Host)
		}
	}
	return list
}

// siteAsk is an open request for the user's permission to reach a site. All connections of a chat to that site wait for
// it.
type siteAsk struct {
	waiting int // number of waiting connections; guarded by Manager.mu
	end     context.CancelFunc
	done    chan struct{}
	allowed bool // valid once done is closed
}

// ask asks the user whether a chat's command may reach a host. All connections of a chat's commands to the same host
// and port share one request. The request is closed when no connection waits for it any longer.
func (m *Manager) ask(ctx context.Context, chatID string, c Command, host string, port int) (allowed bool) {
	key := chatID + " " + hostname.Join(host, port)
	m.mu.Lock()
	a := m.asks[key]
	if a == nil {
		asked, end := context.WithCancel(m.ctx)
		a = &siteAsk{end: end, done: make(chan struct{})}
		m.asks[key] = a
		m.tasks.Go(func() { m.answer(asked, a, key, chatID, c, host, port) })
	}
	a.waiting++
	m.mu.Unlock()
	select {
	case <-a.done:
		allowed = a.allowed
	case <-ctx.Done():
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if a.waiting--; a.waiting == 0 {
		a.end()
		m.forget(key, a)
	}
	return allowed
}

// answer asks the user and records the reply. If the user allows the site, answer adds it to the chat's list.
func (m *Manager) answer(ctx context.Context, a *siteAsk, key, chatID string, c Command, host string, port int) {
	defer close(a.done)
	site := listing(host, port) // has no port if the port is 80 or 443
	allowed := c.Ask(ctx, backend.Permission{
		Title: "Reach " + site, Command: site, Commands: []string{"https://" + hostname.Join(host, port) + "/"},
	})
	if allowed {
		if err := m.cfg.AddSite(context.WithoutCancel(ctx), chatID, site); err != nil {
			m.cfg.Log.Warn("couldn't list an allowed site", "err", err)
		}
	}
	m.mu.Lock()
	a.allowed = allowed
	m.forget(key, a) // the next connection checks the list, or asks again
	m.mu.Unlock()
}

// listing returns the entry for a host and port in the list of sites: the host, followed by the port if it isn't 80 or
// 443.
func listing(host string, port int) string {
	if alone := hostname.Join(host, 0); hostname.Match([]string{alone}, host, port) != hostname.None {
		return alone
	}
	return hostname.Join(host, port)
}

// forget removes a request that has ended. The caller must hold m.mu.
func (m *Manager) forget(key string, a *siteAsk) {
	if m.asks[key] == a {
		delete(m.asks, key)
	}
}
