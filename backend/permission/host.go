package permission

import (
	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/hostname"
)

// HostRule returns the effect of the user's host rules on a connection from a chat in folder to a host and port.
// The effect is backend.RuleDeny if any rule denies the connection. Otherwise, it is backend.RuleAllow if a rule
// allows the connection, and "" if no rule does. host must be normalized. As with permission requests, an allow
// rule covers only the host itself, and a deny rule also covers its subdomains. Expired rules are ignored.
func (b *Broker) HostRule(folder, host string, port int) backend.RuleEffect {
	p := backend.Permission{
		Kind: backend.ToolFetch, Folder: folder,
		Commands: []string{"https://" + hostname.Join(host, port) + "/"},
	}
	now := backend.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	var effect backend.RuleEffect
	for _, r := range b.rules {
		if r.Scope.Kind != backend.RuleHost || r.ExpiresAt != 0 && r.ExpiresAt <= now {
			continue
		}
		if r.Effect == backend.RuleDeny {
			if certain, _ := denies(r.Scope, p); certain {
				return backend.RuleDeny
			}
		} else if allows(r.Scope, p, ruleMatches{}) {
			effect = backend.RuleAllow
		}
	}
	return effect
}
