// Package prepared runs SQL statements that change rows and that SQLite compiles only once. The driver compiles a
// statement each time, even one that was prepared with database/sql, and compiling takes longer than inserting a row.
package prepared

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"reflect"
	"runtime"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Statements are the compiled statements of a connection, by their text. They must be closed before the connection, and
// only one goroutine at a time may use the connection.
type Statements struct {
	tls    *libc.TLS
	db     uintptr // the driver's *sqlite3
	byText map[string]uintptr
	// Memory for calls of SQLite. It must be in the heap, because Go moves variables that are on a stack.
	buffer   []byte  // a value, until SQLite has copied it
	compiled uintptr // the statement that SQLite has just compiled
}

// New returns the statements of a connection, none of which is compiled yet.
func New(conn *sql.Conn) (*Statements, error) {
	s := &Statements{byText: map[string]uintptr{}, buffer: make([]byte, 0, 1<<10)}
	err := conn.Raw(func(of any) error {
		if v := reflect.Indirect(reflect.ValueOf(of)); v.Kind() == reflect.Struct {
			if db := v.FieldByName("db"); db.IsValid() && db.Kind() == reflect.Uintptr {
				s.db = uintptr(db.Uint())
			}
		}
		if s.db == 0 {
			return errors.New("the driver's connection has no handle of SQLite")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.tls = libc.NewTLS()
	return s, nil
}

// Close releases the statements.
func (s *Statements) Close() {
	for _, statement := range s.byText {
		sqlite3.Xsqlite3_finalize(s.tls, statement) // repeats the error of the last execution
	}
	s.byText = nil
	s.tls.Close()
}

// Exec runs a statement that returns no rows, and returns the number of rows that it changed. The text must be
// constant, because the compiled statement is kept until Close.
func (s *Statements) Exec(text string, args ...any) (changed int64, err error) {
	statement, err := s.statement(text)
	if err != nil {
		return 0, err
	}
	for i, arg := range args {
		if err := s.bind(statement, int32(i+1), arg); err != nil {
			return 0, err
		}
	}
	code := sqlite3.Xsqlite3_step(s.tls, statement)
	if code != sqlite3.SQLITE_DONE {
		err = s.failed(code)
	} else {
		changed = sqlite3.Xsqlite3_changes64(s.tls, s.db)
	}
	sqlite3.Xsqlite3_reset(s.tls, statement) // repeats the error
	return changed, err
}

// statement returns the compiled form of a statement.
func (s *Statements) statement(text string) (uintptr, error) {
	if statement, known := s.byText[text]; known {
		return statement, nil
	}
	s.buffer = append(append(s.buffer[:0], text...), 0)
	code := sqlite3.Xsqlite3_prepare_v2(s.tls, s.db, s.address(), int32(len(s.buffer)), uintptr(unsafe.Pointer(&s.compiled)), 0)
	runtime.KeepAlive(s)
	if code != sqlite3.SQLITE_OK {
		return 0, s.failed(code)
	}
	s.byText[text] = s.compiled
	return s.compiled, nil
}

// address returns the address of the buffer.
func (s *Statements) address() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s.buffer))) }

// copied is SQLITE_TRANSIENT: SQLite copies the value before the call returns.
const copied = ^uintptr(0)

// bind sets the parameter with number i. It accepts the types that database/sql accepts, except time.Time.
func (s *Statements) bind(statement uintptr, i int32, arg any) error {
	var code int32
	switch v := arg.(type) {
	case nil:
		code = sqlite3.Xsqlite3_bind_null(s.tls, statement, i)
	case string:
		s.buffer = append(s.buffer[:0], v...)
		code = sqlite3.Xsqlite3_bind_text(s.tls, statement, i, s.address(), int32(len(v)), copied)
		runtime.KeepAlive(s)
	case []byte:
		if v == nil {
			return s.bind(statement, i, nil)
		}
		s.buffer = append(s.buffer[:0], v...)
		code = sqlite3.Xsqlite3_bind_blob(s.tls, statement, i, s.address(), int32(len(v)), copied)
		runtime.KeepAlive(s)
	case int64:
		code = sqlite3.Xsqlite3_bind_int64(s.tls, statement, i, v)
	case float64:
		code = sqlite3.Xsqlite3_bind_double(s.tls, statement, i, v)
	case bool:
		n := int64(0)
		if v {
			n = 1
		}
		return s.bind(statement, i, n)
	default:
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return err
		}
		if reflect.TypeOf(value) == reflect.TypeOf(arg) {
			return errors.New("a statement has a parameter of an unknown type")
		}
		return s.bind(statement, i, value)
	}
	if code != sqlite3.SQLITE_OK {
		return s.failed(code)
	}
	return nil
}

// failed returns the error of the last call on the connection, which returned code.
func (s *Statements) failed(code int32) error {
	if extended := sqlite3.Xsqlite3_extended_errcode(s.tls, s.db); extended&0xff == code&0xff {
		code = extended
	}
	return &Error{code: int(code), message: libc.GoString(sqlite3.Xsqlite3_errmsg(s.tls, s.db))}
}

// Pool is a connection for gorm that runs the statements that change rows with Statements.Exec.
type Pool struct {
	*sql.Conn
	statements *Statements
}

// Pool returns a Pool for conn, which must be the connection of s.
func (s *Statements) Pool(conn *sql.Conn) Pool { return Pool{conn, s} }

// ExecContext runs a statement. It can't be canceled.
func (p Pool) ExecContext(_ context.Context, text string, args ...any) (sql.Result, error) {
	changed, err := p.statements.Exec(text, args...)
	return driver.RowsAffected(changed), err
}

// Error is an error of SQLite.
type Error struct {
	code    int
	message string
}

func (e *Error) Error() string { return e.message }

// Code returns SQLite's extended result code.
func (e *Error) Code() int { return e.code }
