package store

import (
	"context"
	"slices"
	"sync"
	"testing"

	"gorm.io/gorm/schema"
)

func TestRows_EachFieldHasColumn(t *testing.T) {
	t.Parallel()
	s, _, err := Open(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for _, row := range []schema.Tabler{
		chatRow{},
		sessionRow{},
		turnRow{},
		itemRow{},
		contentRow{},
		permissionRow{},
		ruleRow{},
		queuedPromptRow{},
		providerRow{},
		customAgentRow{},
		loginRow{},
		trustedRow{},
		trustedEntryRow{},
		unknownUpdateRow{},
	} {
		parsed, err := schema.Parse(row, &sync.Map{}, s.readers.NamingStrategy)
		if err != nil {
			t.Fatal(err)
		}
		var columns []string
		if err := s.readers.Raw("SELECT name FROM pragma_table_info(?)", row.TableName()).Scan(&columns).Error; err != nil {
			t.Fatal(err)
		}
		for _, field := range parsed.DBNames {
			if !slices.Contains(columns, field) {
				t.Errorf("%s has no column %s", row.TableName(), field)
			}
		}
	}
}
