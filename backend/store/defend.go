package store

import (
	"sync"
	"unsafe"

	"github.com/voxpilot/voxpilot/backend"
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// defend makes every connection of this process begin in the defensive mode of
// SQLite: no statement can damage the file, neither by its schema nor by the tables
// of its search index. The driver has no setting for it, so SQLite is told to do it
// at the start of each connection.
var defend = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	// As all of the translated SQLite, it takes a function by the address of its value.
	call := struct {
		f func(*libc.TLS, uintptr, uintptr, uintptr) int32
	}{defensive}
	if rc := sqlite3.Xsqlite3_auto_extension(tls, *(*uintptr)(unsafe.Pointer(&call))); rc != sqlite3.SQLITE_OK {
		return backend.Problem("setting the defensive mode of SQLite: code %d", rc)
	}
	return nil
})

// defensive is called by SQLite with a connection that was just opened.
func defensive(tls *libc.TLS, db, _, _ uintptr) int32 {
	arguments := libc.NewVaList(int32(1), uintptr(0))
	defer libc.Xfree(tls, arguments)
	return sqlite3.Xsqlite3_db_config(tls, db, sqlite3.SQLITE_DBCONFIG_DEFENSIVE, arguments)
}
