package undo

import (
	"cmp"
	"context"
	"time"
)

// ToolCosts limits the time of snapshots before tool calls to 1.2 times that of git status in the folder, as the
// benchmark undo.tool does. If a folder's snapshots take longer, the folder is recorded only before and after turns. A
// field that is 0 has its default.
type ToolCosts struct {
	// Quick is a time that the user doesn't notice. Snapshots may always take this long.
	Quick time.Duration
	// WithoutGit is the limit as long as the duration of git status isn't known, or if the folder isn't in a
	// repository.
	WithoutGit time.Duration
	// Max is the highest limit, for folders in which git status takes long.
	Max time.Duration
}

func (c ToolCosts) orDefaults() ToolCosts {
	return ToolCosts{
		Quick: cmp.Or(c.Quick, 50*time.Millisecond), WithoutGit: cmp.Or(c.WithoutGit, 150*time.Millisecond), Max: cmp.Or(c.Max, time.Second),
	}
}

// limit returns the limit for a folder in which git status takes the given time. If status is 0, the time isn't known.
func (c ToolCosts) limit(status time.Duration) time.Duration {
	if status == 0 {
		return c.WithoutGit
	}
	return min(max(status*12/10, c.Quick), max(c.Max, c.Quick))
}

// statusAge is the time after which git status is measured again.
const statusAge = 10 * time.Minute

// cost holds the times that recording a chat's folder takes.
type cost struct {
	last, previous time.Duration // of the last two snapshots; 0 if there were fewer
	status         time.Duration // of git status; 0 if it isn't known
	measuredAt     time.Time     // time at which git status was last run; the zero Time if it never was
}

// isSlow reports whether recording a chat's folder takes too long before each tool call. One slow snapshot after a
// quick one isn't enough: a command may just have written many files. The caller must hold m.mu.
func (m *Manager) isSlow(chatID string) bool {
	c := m.costs[chatID]
	limit := cmp.Or(m.cfg.MaxToolCost, m.cfg.ToolCosts.limit(c.status))
	return c.last > limit && (c.previous == 0 || c.previous > limit)
}

// addCost stores the duration of a snapshot of a chat's folder. The first snapshot reads all files, so its duration
// isn't typical and doesn't count. If recording takes longer than ToolCosts.Quick, addCost measures git status in the
// background.
func (m *Manager) addCost(chatID, folder string, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, again := m.costs[chatID]
	if again {
		c.last, c.previous = took, c.last
	}
	if c.last > m.cfg.ToolCosts.Quick && (c.measuredAt.IsZero() || time.Since(c.measuredAt) > statusAge) && m.ctx.Err() == nil {
		c.measuredAt = time.Now()
		m.tasks.Go(func() { m.measureStatus(chatID, folder) })
	}
	m.costs[chatID] = c
}

// measureStatus stores the duration of git status in a chat's folder, or 0 if it can't be measured.
func (m *Manager) measureStatus(chatID, folder string) {
	ctx, cancel := context.WithTimeout(m.ctx, max(m.cfg.ToolCosts.Max, time.Second))
	defer cancel()
	took, ok := m.stores.StatusTime(ctx, folder)
	if !ok {
		took = 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.costs[chatID]
	c.status = took
	m.costs[chatID] = c
}
