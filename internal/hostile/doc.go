// Package hostile has the tests of what folders that other people wrote, and agents
// that read them, may try: each is a table, and says what must not come of it.
package hostile
