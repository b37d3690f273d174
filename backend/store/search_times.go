package store

import (
	"cmp"
	"slices"
)

// A span is a range of row IDs. The ID high isn't part of it.
type span struct{ low, high int64 }

const (
	// blockBits is the number of low bits in which the row IDs of a block of the table item_times differ.
	blockBits = 10
	// maxSpans is the maximum number of row ranges that a search queries separately.
	maxSpans = 8
)

// blocksInTime selects the blocks of rows that may have items in a time span.
const blocksInTime = "SELECT block FROM item_times WHERE latest >= ? AND earliest <= ?"

// hasTimes reports whether the query has a time span.
func (s *searchRun) hasTimes() bool { return s.query.From > 0 || s.query.To < noEnd }

// bounds determines the ranges of rows that may be in the time span of the query, so that few others are searched.
func (s *searchRun) bounds() error {
	var last int64
	if err := s.tx.query(s.ctx, &last, "SELECT coalesce(max(rowid), 0) FROM items"); err != nil {
		return err
	}
	s.spans = []span{{1, last + 1}}
	if s.hasTimes() {
		var blocks []int64
		if err := s.tx.query(s.ctx, &blocks, blocksInTime+" ORDER BY block", s.query.From, s.query.To); err != nil {
			return err
		}
		most := maxSpans
		if s.isWide { // a query of the index is slow, however few rows it returns
			most = 1
		}
		s.spans, s.hasGaps = spansOf(blocks, last, most)
	}
	if len(s.spans) == 0 {
		s.spans = []span{{1, 1}}
	}
	s.low, s.high = s.spans[0].low, min(s.spans[len(s.spans)-1].high, s.start.top)
	return nil
}

// spansOf returns the row ranges of blocks in ascending order, up to the row ID last. If there are more than most
// ranges, those with the fewest rows between them are joined, and hasGaps is true.
func spansOf(blocks []int64, last int64, most int) (spans []span, hasGaps bool) {
	for _, block := range blocks {
		next := span{max(1, block<<blockBits), min((block+1)<<blockBits, last+1)}
		switch n := len(spans); {
		case next.low >= next.high: // the rows were deleted
		case n > 0 && spans[n-1].high == next.low:
			spans[n-1].high = next.high
		default:
			spans = append(spans, next)
		}
	}
	if len(spans) <= most {
		return spans, false
	}
	gaps := make([]int, len(spans)-1) // indexes of the spans before the gaps, those before the widest gaps first
	for i := range gaps {
		gaps[i] = i
	}
	width := func(i int) int64 { return spans[i+1].low - spans[i].high }
	slices.SortFunc(gaps, func(a, b int) int { return cmp.Or(cmp.Compare(width(b), width(a)), cmp.Compare(a, b)) })
	kept := gaps[:most-1]
	slices.Sort(kept)
	var joined []span
	low := spans[0].low
	for _, i := range kept {
		joined = append(joined, span{low, spans[i].high})
		low = spans[i+1].low
	}
	return append(joined, span{low, spans[len(spans)-1].high}), true
}

// A scan is the result of searching rows in descending order: the newest matching rows, up to a limit.
type scan struct {
	rows []int64
	down int64 // ID of the last row that was searched
	all  bool  // no rows below down match
}

// scan finds matching item rows with IDs in the range [low, below), at most limit, newest first.
func (s *searchRun) scan(match string, low, below int64, limit int) (scan, error) {
	found := scan{down: low}
	for _, part := range slices.Backward(s.spans) {
		part = span{max(part.low, low), min(part.high, s.high, below)}
		if part.low >= part.high {
			continue
		}
		rows, err := s.scanSpan(match, part, limit-len(found.rows))
		if err != nil {
			return found, err
		}
		if found.rows = append(found.rows, rows...); len(found.rows) == limit {
			found.down = found.rows[limit-1]
			return found, nil
		}
	}
	found.all = low == s.low
	return found, nil
}

// scanSpan finds matching item rows of one range, at most limit, newest first.
func (s *searchRun) scanSpan(match string, in span, limit int) (found []int64, err error) {
	// Without a time span, the index alone suffices.
	query, args := "FROM search WHERE search MATCH ? AND search.rowid >= ? AND search.rowid < ?", []any{match, in.low, in.high}
	if s.hasTimes() {
		query = `FROM search CROSS JOIN items ON items.rowid = search.rowid
WHERE search MATCH ? AND search.rowid >= ? AND search.rowid < ?`
		if s.hasGaps {
			query += " AND search.rowid >> ? IN (" + blocksInTime + ")"
			args = append(args, blockBits, s.query.From, s.query.To)
		}
		query += " AND items.created_at BETWEEN ? AND ?"
		args = append(args, s.query.From, s.query.To)
	}
	rows, err := s.tx.rows(s.ctx)("SELECT search.rowid "+query+" ORDER BY search.rowid DESC LIMIT ?", append(args, limit)...)
	if err != nil {
		return nil, s.tx.failed(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return nil, s.tx.failed(err)
		}
		found = append(found, row)
	}
	if err := rowsDone(rows); err != nil {
		return nil, s.tx.failed(err)
	}
	return found, nil
}
