package sqlstore

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
)

// shipped has a line for each table as databases have it that no newer version has opened: its name and its body.
//
//go:embed testdata/system_tables.txt
var shipped string

// A database of any older version gets the columns that were added since: a column of a table that shipped without it stands in Added,
// because CREATE TABLE IF NOT EXISTS changes no table.
func TestAddedColumnsReachOlderDatabases(t *testing.T) {
	t.Parallel()
	was := map[string]string{}
	for line := range strings.Lines(shipped) {
		name, body, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		was[name] = body
	}
	for _, table := range migrate.AllSystemTables(systemTables()) {
		body := table.Body
		for _, column := range table.Added {
			body = strings.Replace(strings.Replace(body, ", "+column, "", 1), column+", ", "", 1)
		}
		name, body := table.Name, strings.Join(strings.Fields(body), " ")
		if table.Only != nil {
			name += map[bool]string{true: " of Postgres", false: " of SQLite"}[table.Only.Postgres]
		}
		switch old, known := was[name]; {
		case !known:
			t.Errorf("a new table: add a line to testdata/system_tables.txt\n%s: %s", name, body)
		case old != body:
			t.Errorf("%s shipped as\n%s\nand is now, without the columns in Added,\n%s", name, old, body)
		}
	}
}
