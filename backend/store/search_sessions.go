package store

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store/terms"
)

// SessionQuery is a search in the indexed sessions of the Copilot CLI. The fields of Query mean the same as in a search
// across chats, with these exceptions: Folder is the working directory of the sessions, ChatID must be "", and Count is
// ignored.
type SessionQuery struct {
	Query

	// SessionID and Home select one session; "" selects all.
	SessionID, Home string
}

// sessionHit is a row that matches a search.
type sessionHit struct {
	backend.SessionText

	LogID int64
}

// SearchSessions finds the texts of sessions that contain all words and phrases of a query, newest first. It leaves out
// sessions that belong to a chat. It counts at most backend.MaxHits hits, the newest ones, and finds no others.
func (tx *ReadTx) SearchSessions(ctx context.Context, q SessionQuery) (backend.Hits, error) {
	s := &searchRun{
		ctx: ctx, tx: tx, query: q.Query, phrases: terms.Phrases(q.Text), maxCount: backend.MaxHits,
		hits: backend.Hits{Hits: []backend.Hit{}, Groups: []backend.HitGroup{}},
	}
	below := int64(noEnd)
	if q.Before != "" {
		var err error
		if below, err = strconv.ParseInt(q.Before, 10, 64); err != nil {
			return s.hits, &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Couldn't load this page of search results. Search again."), Detail: q.Before}
		}
	}
	if len(s.phrases) == 0 {
		return s.hits, nil
	}
	logs, err := s.sessionLogs(q)
	if err != nil || len(logs) == 0 {
		return s.hits, err
	}
	endings, err := s.endings()
	if err != nil {
		return s.hits, err
	}
	s.setText(endings)
	if q.SessionID != "" && q.Before != "" {
		return s.hits, s.pageOfSession(logs, below)
	}
	found, err := s.scanTexts(logs, noEnd, s.maxCount+1)
	if err != nil {
		return s.hits, err
	}
	if s.hits.Total = len(found); s.hits.Total > s.maxCount {
		s.hits.Total, s.hits.Capped = s.maxCount, true
		found = found[:s.maxCount]
	}
	return s.hits, s.groupTexts(logs, found, below)
}

// sessionLogs returns the sessions that are searched, by ID.
func (s *searchRun) sessionLogs(q SessionQuery) (map[int64]SessionLog, error) {
	var rows []SessionLog
	err := s.tx.query(s.ctx, &rows, `
SELECT id, home, session_id, title, folder FROM session_logs
WHERE (?1 = '' OR folder = ?1) AND (?2 = '' OR session_id = ?2 AND home = ?3)
    AND session_id NOT IN (SELECT acp_id FROM (`+allSessions+`) AS every JOIN chats ON chats.id = every.chat_id WHERE deleted_at = 0)`,
		q.Folder, q.SessionID, q.Home)
	logs := make(map[int64]SessionLog, len(rows))
	for _, log := range rows {
		logs[log.ID] = log
	}
	return logs, err
}

// scanTexts finds matching texts with IDs below the given one, newest first and at most limit.
func (s *searchRun) scanTexts(logs map[int64]SessionLog, below int64, limit int) ([]sessionHit, error) {
	ids := make([]int64, 0, len(logs))
	for id := range logs {
		ids = append(ids, id)
	}
	low, high := int64(firstText), below
	if s.query.From > 0 {
		low = textRow(s.query.From)
	}
	to := s.query.To
	if to <= 0 {
		to = noEnd
	} else {
		high = min(high, textRow(to)+textsPerSecond)
	}
	var found []sessionHit
	err := s.tx.query(s.ctx, &found, `
SELECT session_texts.id, log_id, kind, tool, agent, at FROM search CROSS JOIN session_texts ON session_texts.id = search.rowid
WHERE search MATCH ? AND search.rowid >= ? AND search.rowid < ? AND at BETWEEN ? AND ? AND log_id IN (SELECT value FROM json_each(?))
ORDER BY search.rowid DESC LIMIT ?`, s.text, low, high, s.query.From, to, idList(ids), limit)
	return found, err
}

// pageOfSession adds the next hits of one session.
func (s *searchRun) pageOfSession(logs map[int64]SessionLog, below int64) error {
	found, err := s.scanTexts(logs, below, s.query.Limit+1)
	if err != nil || len(found) == 0 {
		return err
	}
	if len(found) > s.query.Limit {
		found = found[:s.query.Limit]
		s.hits.More = strconv.FormatInt(found[len(found)-1].ID, 10)
	}
	s.hits.Total, s.hits.Chats = len(found), 1
	return s.addTexts(logs, found)
}

// groupTexts adds a page of sessions with their newest hits. The newest hit of each session on the page is below the
// given ID.
func (s *searchRun) groupTexts(logs map[int64]SessionLog, found []sessionHit, below int64) error {
	room := max(1, s.query.Limit/backend.HitsPerChat)
	byLog := map[int64][]sessionHit{}
	var order []int64
	for _, hit := range found {
		if byLog[hit.LogID] == nil {
			order = append(order, hit.LogID)
		}
		byLog[hit.LogID] = append(byLog[hit.LogID], hit)
	}
	if !s.hits.Capped {
		s.hits.Chats = len(order)
	}
	for _, id := range order {
		hits := byLog[id]
		if hits[0].ID >= below {
			continue
		}
		if len(s.hits.Groups) == room {
			s.hits.More = strconv.FormatInt(hits[0].ID+1, 10)
			break
		}
		shown := hits[:min(len(hits), backend.HitsPerChat)]
		group := backend.HitGroup{CLISession: logs[id].SessionID, Home: logs[id].Home, Total: len(hits), Capped: s.hits.Capped}
		if len(shown) < len(hits) || s.hits.Capped {
			group.More = strconv.FormatInt(shown[len(shown)-1].ID, 10)
		}
		s.hits.Groups = append(s.hits.Groups, group)
		if err := s.addTexts(logs, shown); err != nil {
			return err
		}
	}
	return nil
}

// addTexts adds hits to the page.
func (s *searchRun) addTexts(logs map[int64]SessionLog, found []sessionHit) error {
	ids := make([]int64, len(found))
	for i, hit := range found {
		ids[i] = hit.ID
	}
	var texts []backend.SessionText
	if err := s.tx.query(s.ctx, &texts, "SELECT id, body FROM session_texts WHERE id IN (SELECT value FROM json_each(?))", idList(ids)); err != nil {
		return err
	}
	slices.SortFunc(texts, func(a, b backend.SessionText) int { return cmp.Compare(b.ID, a.ID) })
	for i, hit := range found {
		log, text := logs[hit.LogID], texts[i].Text
		h := backend.Hit{
			CLISession: log.SessionID, Home: log.Home, Title: log.Title, Folder: log.Folder, ItemID: strconv.FormatInt(hit.ID, 10),
			Kind: hit.Kind, Tool: hit.Tool, At: hit.At, Snippet: terms.Excerpt(text, s.phrases),
		}
		if h.Snippet == nil {
			_, to := terms.Around(text, 0)
			h.Snippet = []backend.Excerpt{{Text: terms.OneLine(text[:to])}}
		}
		s.hits.Hits = append(s.hits.Hits, h)
	}
	return nil
}
