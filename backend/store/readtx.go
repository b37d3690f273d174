package store

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"sync"

	"gorm.io/gorm"

	"github.com/voxpilot/voxpilot/backend"
)

// A ReadTx is a read transaction: it reads a snapshot of the database, taken when the
// transaction was created. It must be used by one goroutine only, and must be closed.
type ReadTx struct {
	store *Store
	tx    *gorm.DB
	leave func()
}

// BeginRead starts a ReadTx of all committed data. The ReadTx ends when it is closed, when ctx is done
// or when the store is closed.
func (s *Store) BeginRead(ctx context.Context) (*ReadTx, error) {
	ctx, leave, err := s.readTxs.enter(ctx)
	if err != nil {
		return nil, err
	}
	v := &ReadTx{store: s, leave: leave}
	v.tx = s.readers.WithContext(ctx).Begin(&sql.TxOptions{ReadOnly: true})
	err = v.tx.Error
	if err == nil {
		// The first read determines the snapshot of a transaction.
		var rows int
		err = v.tx.Raw("SELECT count(*) FROM settings").Scan(&rows).Error
	}
	if err != nil {
		v.Close()
		return nil, v.failed(err)
	}
	return v, nil
}

// Read calls the function read with a ReadTx of all committed data.
func (s *Store) Read(ctx context.Context, read func(*ReadTx) error) error {
	v, err := s.BeginRead(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	return read(v)
}

// Close ends the transaction. It may be called more than once.
func (tx *ReadTx) Close() {
	if tx.leave == nil {
		return
	}
	if tx.tx.Error == nil {
		tx.tx.Rollback() // fails only if its context has already ended it
	}
	tx.leave()
	tx.leave = nil
}

func (tx *ReadTx) failed(err error) error {
	return tx.store.failed(backend.Say("VoxPilot couldn't read its data"), err)
}

// db returns a gorm session with which the caller builds a query for plain rows. find runs the query.
func (tx *ReadTx) db(ctx context.Context) *gorm.DB { return tx.tx.WithContext(ctx) }

// find runs a query built with db and reads its rows into dest, a pointer to a slice.
func (tx *ReadTx) find(rows *gorm.DB, dest any) error { return tx.failed(rows.Find(dest).Error) }

// query runs an SQL query and reads the result into dest, a pointer to a value or a slice.
func (tx *ReadTx) query(ctx context.Context, dest any, query string, args ...any) error {
	return tx.failed(tx.db(ctx).Raw(query, args...).Scan(dest).Error)
}

// one reads the row with the given ID. If the row doesn't exist, it returns the given error.
func one[Row any](ctx context.Context, v *ReadTx, id string, missing *backend.Error) (row Row, err error) {
	err = v.db(ctx).Take(&row, "id = ?", id).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return row, missing
	}
	return row, v.failed(err)
}

// readTxPool keeps track of the open ReadTxs, so that the store can wait for them when it closes.
type readTxPool struct {
	mu     sync.Mutex
	closed bool
	next   int
	ends   map[int]context.CancelFunc
	open   sync.WaitGroup
}

// enter returns the context of a new ReadTx, which is canceled when leave is called or the store is closed.
func (p *readTxPool) enter(ctx context.Context) (_ context.Context, leave func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, nil, errClosed
	}
	ctx, cancel := context.WithCancel(ctx)
	if p.ends == nil {
		p.ends = map[int]context.CancelFunc{}
	}
	id := p.next
	p.next++
	p.ends[id] = cancel
	p.open.Add(1)
	return ctx, func() {
		cancel()
		p.mu.Lock()
		delete(p.ends, id)
		p.mu.Unlock()
		p.open.Done()
	}, nil
}

// close rejects new ReadTxs, cancels the open ones and waits for them.
func (p *readTxPool) close() {
	p.mu.Lock()
	p.closed = true
	for _, end := range p.ends {
		end()
	}
	p.mu.Unlock()
	p.open.Wait()
}

// exportPage is the number of items that EachItem reads with one query.
const exportPage = 200

// Chat returns the chat with the given ID, or CodeNotFound if it doesn't exist.
func (tx *ReadTx) Chat(ctx context.Context, id string) (backend.Chat, error) {
	row, err := one[chatRow](ctx, tx, id, errNoChat)
	return backend.Chat(row), err
}

// EachItem calls a function with each item of a chat's transcript, or of the block with the ID parentID, in order. If
// the function returns an error, EachItem stops and returns that error. It skips items that are set aside and items
// that a later attempt at the same model call replaced. Only one page of items is in memory at a time.
func (tx *ReadTx) EachItem(ctx context.Context, chatID, parentID string, do func(backend.Item) error) error {
	for last := int64(0); ; {
		var rows []itemRow
		err := tx.find(tx.db(ctx).Where("chat_id = ? AND parent_id = ? AND pos > ? AND replaced = 0 AND aside = ''", chatID, parentID, last).Order("pos").Limit(exportPage), &rows)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			if err := do(backend.Item(row)); err != nil {
				return err
			}
			last = row.Pos
		}
	}
}

// ContentsOf returns the contents of an item, without their bodies.
func (tx *ReadTx) ContentsOf(ctx context.Context, itemID string) ([]backend.Content, error) {
	var rows []contentRow
	err := tx.find(tx.db(ctx).Where("item_id = ?", itemID).Order("rowid"), &rows)
	contents := make([]backend.Content, len(rows))
	for i, row := range rows {
		contents[i] = backend.Content(row)
	}
	return contents, err
}

// WriteText writes the text of an item piece by piece.
func (tx *ReadTx) WriteText(ctx context.Context, to io.Writer, itemID string) error {
	return tx.write(ctx, to, textPieces, itemID)
}

// WriteBody writes the body of the content with the given ID piece by piece.
func (tx *ReadTx) WriteBody(ctx context.Context, to io.Writer, contentID string) error {
	return tx.write(ctx, to, bodyPieces, contentID)
}

func (tx *ReadTx) write(ctx context.Context, to io.Writer, table pieceTable, owner string) error {
	rows, err := tx.rows(ctx)("SELECT body FROM "+table.name+" WHERE "+table.owner+" = ? ORDER BY offset", owner)
	if err != nil {
		return tx.failed(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var body sql.RawBytes
		if err := rows.Scan(&body); err != nil {
			return tx.failed(err)
		}
		if _, err := to.Write(body); err != nil {
			return err // the writer's error, not the database's
		}
	}
	if err := rowsDone(rows); err != nil {
		return tx.failed(err)
	}
	return nil
}
