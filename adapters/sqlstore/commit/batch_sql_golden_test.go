package commit

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

var update = flag.Bool("update", false, "write golden files anew")

// The statements of a batch are reviewed as a whole; go test ./adapters/sqlstore/commit -run BatchStatements
// -update writes them.
func TestBatchStatementsMatchTheGoldenFile(t *testing.T) {
	t.Parallel()
	text := collection.Field{Name: "name", Kind: collection.Text, Unique: true}
	parcels := table.NewShape(&collection.Schema{Slug: "parcels", Fields: []collection.Field{
		text, {Name: "weight", Kind: collection.Number}, {Name: "sent", Kind: collection.Boolean},
	}})
	labels := table.NewShape(&collection.Schema{
		Slug: "parcel-labels", PerEnvironment: true, Fields: []collection.Field{text, {Name: "printedAt", Kind: collection.Date}},
	})
	fast := newFastBatch(parcels)
	var all strings.Builder
	for _, s := range []struct{ title, text string }{
		{"receipts only", batchSQL(statementKey{}, nil)},
		{"records", batchSQL(statementKey{shape: parcels}, nil)},
		{
			"records with other records and stock",
			batchSQL(statementKey{shape: parcels, extra: "parcel-labels", stock: true}, []*table.Shape{labels}),
		},
		{"fast: rows", fast.texts[fastRows]}, {"fast: receipts", fast.texts[fastReceipts]}, {"fast: events", fast.texts[fastEvents]},
		{"fast: queue of events", fast.texts[fastQueue]},
	} {
		all.WriteString("-- " + s.title + "\n" + s.text + ";\n\n")
	}
	const file = "testdata/batch.golden.sql"
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || all.String() != string(want) {
		t.Errorf("the statements are others than in %s (%v):\n%s", file, err, all.String())
	}
}
