package store

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/voxpilot/voxpilot/backend"
)

// SQLite result codes, see https://www.sqlite.org/rescode.html.
const (
	sqliteError      = 1
	sqlitePerm       = 3
	sqliteBusy       = 5
	sqliteLocked     = 6
	sqliteReadOnly   = 8
	sqliteIOErr      = 10
	sqliteCorrupt    = 11
	sqliteFull       = 13
	sqliteCantOpen   = 14
	sqliteTooBig     = 18
	sqliteConstraint = 19
	sqliteMismatch   = 20
	sqliteRange      = 25
	sqliteNotADB     = 26

	sqliteConstraintForeignKey = sqliteConstraint | 3<<8
)

// extendedCode returns the extended result code in err's chain, or 0 if the error isn't from SQLite.
func extendedCode(err error) int {
	var coded interface{ Code() int }
	if errors.As(err, &coded) {
		return coded.Code()
	}
	return 0
}

// resultCode returns the primary result code in err's chain.
func resultCode(err error) int { return extendedCode(err) & 0xff }

// isCorrupt reports whether the error means that the file is damaged.
func isCorrupt(err error) bool {
	code := resultCode(err)
	return code == sqliteCorrupt || code == sqliteNotADB
}

// isRejected reports whether the error means that the system denies write access.
func isRejected(err error) bool {
	switch resultCode(err) {
	case sqliteReadOnly, sqlitePerm, sqliteCantOpen:
		return true
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// explain converts a database error into a user-facing one. The parameter doing describes the failed operation, such
// as "VoxPilot couldn't save new data". The new error's code is CodeInvalid if the data itself was rejected, so that a
// retry would fail, too. If err is nil, a *backend.Error or a context error, explain returns it unchanged.
func explain(doing backend.Message, err error) error {
	var known *backend.Error
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	code, hint := backend.CodeStorage, backend.Say("If this keeps happening, restart VoxPilot.")
	switch resultCode(err) {
	case sqliteFull:
		hint = backend.Say("The disk is full. Free up some space.")
	case sqliteBusy, sqliteLocked:
		hint = backend.Say("Another program is using VoxPilot's database. Quit that program.")
	case sqliteReadOnly, sqlitePerm, sqliteCantOpen:
		hint = backend.Say("VoxPilot can't write to its database. Check the permissions of its folder.")
	case sqliteIOErr:
		hint = backend.Say("The disk reported an error. Check that it's connected and healthy.")
	case sqliteCorrupt, sqliteNotADB:
		hint = backend.Say("The database is damaged. Restart VoxPilot to recover what can still be read.")
	case sqliteError, sqliteTooBig, sqliteConstraint, sqliteMismatch, sqliteRange:
		code = backend.CodeInvalid
		hint = backend.Say("Please report this and include the details.")
	}
	return &backend.Error{Code: code, Message: backend.Say("%s. %s", doing, hint), Detail: err.Error()}
}

// The errors for rows that don't exist or have been deleted.
var (
	errNoChat    = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This chat no longer exists.")}
	errNoMessage = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This message no longer exists.")}
	errNoContent = &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This content no longer exists.")}
)
