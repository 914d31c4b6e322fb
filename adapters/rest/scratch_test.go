package rest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/app/access"
)

// A collection that only a test declares has events like any other. Rule collections-19.
func TestScratchCollectionWritesMakeEvents(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		id := b.make("gadgets", `{"name":"A","secret":"hush","cost":3}`)
		b.secret(200, "PATCH", "/api/gadgets/"+id, `{"name":"B"}`)
		b.secret(200, "DELETE", "/api/gadgets/"+id, "")
		got := eventsOf(t, b, id)
		want := []string{"1 create live A -", "2 update live B A", "3 delete live - -"}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("events %q, want %q", got, want)
		}
	})
}

// eventsOf lists the events of a record: number, operation, environment, name in doc, name in previousDoc.
func eventsOf(t *testing.T, b *harness, record string) (out []string) {
	t.Helper()
	db, err := b.database()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT record_sequence, operation, environment, "+table.EventText+
		" FROM events e WHERE record = $1 AND collection = 'gadgets' ORDER BY record_sequence", record)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		var operation, environment string
		var text []byte
		if err := rows.Scan(&n, &operation, &environment, &text); err != nil {
			t.Fatal(err)
		}
		body := string(table.PublishedBody(text))
		if strings.Contains(body, "hush") || !strings.Contains(body, `"cost"`) && operation != "update" {
			t.Errorf("event %d: %s", n, body)
		}
		var parts struct{ Doc, PreviousDoc struct{ Name string } }
		if err := json.Unmarshal([]byte(body), &parts); err != nil {
			t.Fatal(err)
		}
		name := func(s string) string {
			if s == "" {
				return "-"
			}
			return s
		}
		out = append(out, fmt.Sprint(n, " ", operation, " ", environment, " ", name(parts.Doc.Name), " ", name(parts.PreviousDoc.Name)))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// The row of a collection in the access matrix follows from its declaration too.
func TestScratchCollectionHasAccessRow(t *testing.T) {
	b := newSQLiteHarness(t)
	for line := range strings.Lines(access.FormatTable(b.registry)) {
		if f := strings.Fields(line); f[0] == "gadgets" {
			if got := strings.Join(f[1:], " "); got != "CRUD CRUD CRUD -R-- ---- ---- ---- ---- CRUD -r-- -r--" {
				t.Error(got)
			}
			return
		}
	}
	t.Error("no row")
}
