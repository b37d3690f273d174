package snapshot_test

import "testing"

func makePipe(t *testing.T, _ string) {
	t.Helper()
	t.Skip("Windows has no pipes in folders")
}

func makeSocket(*testing.T, string) {}

func rerunAsNobody(*testing.T) bool { return false }
