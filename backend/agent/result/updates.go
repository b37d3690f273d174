package result

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// shellExit matches the CLI's line that reports a command's exit code to the model.
var shellExit = regexp.MustCompile(`^<shellId: \S+ completed with exit code (-?\d+)>\s*$`)

// ExitCode removes the line that shellExit matches from the end of text, the output of a command. It returns the rest
// and the exit code. code is nil if there is no such line.
func ExitCode(text string) (rest string, code *int) {
	at := strings.LastIndex(text, "<shellId: ")
	if at < 0 {
		return text, nil
	}
	m := shellExit.FindStringSubmatch(text[at:])
	if m == nil {
		return text, nil
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return text, nil
	}
	return strings.TrimSuffix(text[:at], "\n"), &n
}

// Usage converts the token counts that an agent reports at the end of a turn.
func Usage(usage gjson.Result) backend.Usage {
	return backend.Usage{
		Input: usage.Get("inputTokens").Int(), Output: usage.Get("outputTokens").Int(),
		CacheRead: usage.Get("cachedReadTokens").Int(), CacheWrite: usage.Get("cachedWriteTokens").Int(),
		Thought: usage.Get("thoughtTokens").Int(),
	}
}

// UsageRecord is the type of the Copilot CLI's event for a model call. The CLI's session log contains the same events.
const UsageRecord = "session.usage_record"

// maxCredits is the limit for the cost of a model call, in premium requests or AI credits. A higher cost is ignored as
// invalid.
const maxCredits = 1_000_000

// AddCost adds the cost of a model call to u and sets the model. call is the field "usage" of a UsageRecord, or the
// data of the CLI's older event "assistant.usage", and isOwn means that no subagent made the call. Premium requests are
// charged for a user message, but not for the agent's follow-up calls
// (https://docs.github.com/copilot/concepts/billing/copilot-requests).
func AddCost(u *backend.Usage, call gjson.Result, isOwn bool) {
	if model := call.Get("model"); isOwn && model.Type == gjson.String && model.Str != "" {
		u.Model = strings.Clone(excerpt.FirstLine(strings.ToValidUTF8(model.Str, "\uFFFD"), 200))
	}
	if by := call.Get("initiator").Str; isOwn && (by == "" || by == "user") {
		if n := call.Get("cost").Float(); n > 0 && n < maxCredits {
			u.Premium += n
		}
	}
	if n := call.Get("copilotUsage.totalNanoAiu").Float(); n > 0 && n < maxCredits*1e9 {
		u.NanoAIU += int64(n)
	}
}

// Since returns the usage between an agent's earlier report (before) and its later one (now). Both reports are
// totals unless one of the counts has decreased. In that case, the agent reports the usage of each turn separately,
// and Since returns the later report unchanged.
func Since(before, now backend.Usage) backend.Usage {
	if now.Input < before.Input || now.Output < before.Output || now.CacheRead < before.CacheRead || now.CacheWrite < before.CacheWrite || now.Thought < before.Thought {
		return now
	}
	return backend.Usage{
		Input: now.Input - before.Input, Output: now.Output - before.Output,
		CacheRead: now.CacheRead - before.CacheRead, CacheWrite: now.CacheWrite - before.CacheWrite, Thought: now.Thought - before.Thought,
	}
}

// Plan returns the plan in an update. Older agents send "steps" instead of ACP's "entries". Entries with an
// unknown status count as pending.
func Plan(up gjson.Result) (plan []backend.PlanEntry) {
	list := up.Get("entries")
	if !list.Exists() {
		list = up.Get("steps")
	}
	list.ForEach(func(_, e gjson.Result) bool {
		text := e.Get("content").String()
		for _, key := range []string{"title", "description", "text"} {
			if text == "" {
				text = e.Get(key).String()
			}
		}
		if e.Type == gjson.String {
			text = e.Str
		}
		status := backend.PlanStatus(e.Get("status").String())
		switch status {
		case backend.PlanPending, backend.PlanInProgress, backend.PlanCompleted:
		default:
			status = backend.PlanPending
		}
		if text != "" {
			plan = append(plan, backend.PlanEntry{Content: text, Status: status})
		}
		return true
	})
	return plan
}
