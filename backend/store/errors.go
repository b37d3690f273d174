package store

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/voxpilot/voxpilot/backend"
)

// SQLite's result codes, as https://www.sqlite.org/rescode.html names them.
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

// extendedCode is the extended result code in err's chain, 0 where SQLite did
// not make the error.
func extendedCode(err error) int {
	var coded interface{ Code() int }
	if errors.As(err, &coded) {
		return coded.Code()
	}
	return 0
}

// resultCode is the primary result code in err's chain.
func resultCode(err error) int { return extendedCode(err) & 0xff }

// isCorrupt says that the file is damaged.
func isCorrupt(err error) bool {
	code := resultCode(err)
	return code == sqliteCorrupt || code == sqliteNotADB
}

// isRejected says that the system does not let us write.
func isRejected(err error) bool {
	switch resultCode(err) {
	case sqliteReadOnly, sqlitePerm, sqliteCantOpen:
		return true
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// explain turns an error of the database into one for a person. doing says what
// was tried: "VoxPilot couldn't save new data". Its code is CodeInvalid
// where the data itself is at fault, so that trying again is of no use.
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
		hint = backend.Say("Another program is using its database. Close that program.")
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

// notFound is the error for a thing that is not, or no more, in the database.
func notFound(what string) error {
	return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("This %s no longer exists.", what)}
}
