package rest_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/ports"
)

// told is everything that an import tells of its rows, but for the ids of records.
func (i imported) told() string {
	i.b.t.Helper()
	var out strings.Builder
	for after := any(0); after != nil; {
		page := i.b.secret(200, "GET", fmt.Sprintf("/api/imports/%s/rows?limit=500&after=%v", i.id, after), "").body
		rows, _ := page["rows"].([]any)
		for _, it := range rows {
			row, _ := it.(map[string]any)
			fmt.Fprintln(&out, row["row"], row["status"], row["errors"])
		}
		after = page["next"]
	}
	return out.String()
}

// conflictingProducts is a file of more than two chunks, whose rows want what others have: earlier ones of the same chunk, of
// another one, and a product that is there, which gives it up in the first row.
func conflictingProducts() string {
	rows := []string{"handle,title,status,productPrice,optionValues,sku", "old,old,published,10,,"}
	product := func(handle, sku string) {
		rows = append(rows, fmt.Sprintf("%s,%s,draft,1,,%s", handle, handle, sku))
	}
	for i := range 9 {
		product(fmt.Sprint("a-", i), fmt.Sprint("A-", i))
	}
	product("other-chunk", "A-0")
	product("other-case", "a-3")
	product("given-up", "OLD")
	product("taken-again", "old")
	product("same-chunk", "B")
	product("same-chunk-too", "B")
	rows = append(rows, "two,Two,draft,1,Size=S,FREE", "two,,,,Size=M,A-1") // neither is applied, so that FREE stays free
	product("free", "FREE")
	for i := range 12 {
		product(fmt.Sprint("c-", i), fmt.Sprint("C-", i))
	}
	product("third-chunk", "B")
	product("given-up-late", "OLD")
	product("a-0", "D")
	return rowsOf(rows...)
}

// Rule transfers-14.
func TestDryRunTellsWhatTheImportWillTell(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.variant("old", "OLD", 1)
		customers, orders := []string{"email,name"}, []string{"orderNumber,status,totalAmount,title,quantity,unitPrice"}
		for i := range 60 {
			customers = append(customers, fmt.Sprintf("c%d@example.com,C", i))
			orders = append(orders, fmt.Sprintf("N-%d,paid,1,Cup,1,1", i))
		}
		customers = append(customers, "C3@example.com,C", "d@example.com,D")
		orders = append(orders, "n-3,paid,1,Cup,1,1", "M-1,paid,1,Cup,1,1", "m-1,paid,2,Cup,2,1")
		for kind, c := range map[string]struct{ file, counts string }{
			"products":  {conflictingProducts(), "done 25 0 9"},
			"customers": {rowsOf(customers...), "done 61 0 1"},
			"orders":    {rowsOf(orders...), "done 61 0 2"},
		} {
			trial := b.imported(kind, c.file, "dryRun", "true")
			done := b.imported(kind, c.file)
			if trial.counts() != c.counts || done.counts() != c.counts {
				t.Errorf("%s: the trial told %s, and it was %s\n%v", kind, trial.counts(), done.counts(), done.rows("rejected"))
			}
			if trial.told() != done.told() {
				t.Errorf("%s: the trial told\n%s\nand it was\n%s", kind, trial.told(), done.told())
			}
		}
	})
}

// Rule transfers-14: a dry run whose process is killed after any transaction tells the same.
func TestDryRunThatIsTakenOverTellsTheSame(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.variant("old", "OLD", 1)
		file := conflictingProducts()
		want := b.imported("products", file, "dryRun", "true")
		for after := int64(2); after < 12; after += 3 {
			a := b.startImport("products", file, "dryRun", "true")
			begun, _ := a.body["import"].(map[string]any)
			id, _ := begun["id"].(string)
			b.killed(after)
			b.killed(after + 2)
			b.runJobs()
			if got := b.importNow(id); got.counts() != want.counts() || got.told() != want.told() {
				t.Errorf("killed after %d transactions it told %s\n%s\nwant %s\n%s", after, got.counts(), got.told(), want.counts(), want.told())
			}
		}
	})
}

// Rule transfers-17: a dry run that would have to hold too much fails, and says why.
func TestDryRunHoldsABoundedAmountOfRows(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	b.imports.TrialMemory = 300
	b.variant("old", "OLD", 1)
	i := b.imported("products", conflictingProducts(), "dryRun", "true")
	if problem, _ := i.job["problem"].(string); i.job["status"] != "failed" || !strings.Contains(problem, "try the file in parts") {
		t.Errorf("%v", i.job)
	}
	if done := b.imported("products", conflictingProducts()); done.counts() != "done 25 0 9" {
		t.Errorf("without a trial: %s", done.counts())
	}
}

// Rule transfers-17: what earlier rows did is done again in the order in which it was done, which within a chunk is that of the
// records.
func TestDryRunDoesRowsAgainInTheOrderOfTheImport(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.variant("first-made", "Y", 1)
		b.variant("second-made", "", 1)
		rows := []string{
			"handle,title,status,productPrice,optionValues,sku",
			"second-made,Takes,published,10,,Y", "first-made,Gives up,published,10,,",
		}
		for i := range 10 {
			rows = append(rows, fmt.Sprintf("c-%d,C,draft,1,,C-%d", i, i))
		}
		rows = append(rows, "mistaken,M,draft,1,,y", "right,R,draft,1,,R")
		trial := b.imported("products", rowsOf(rows...), "dryRun", "true")
		done := b.imported("products", rowsOf(rows...))
		done.want("done 13 0 1", "14 rejected sku:value_not_unique")
		if trial.counts() != done.counts() || trial.told() != done.told() {
			t.Errorf("the trial told %s %v\n%s\nand it was\n%s", trial.counts(), trial.job["problem"], trial.told(), done.told())
		}
	})
}

// afterStore does something after so many transactions.
type afterStore struct {
	ports.Store

	left *atomic.Int64
	do   func()
}

// Atomically implements ports.Store.
func (s afterStore) Atomically(ctx context.Context, scope ports.Scope, fn func(ctx context.Context, tx ports.Tx) error) error {
	err := s.Store.Atomically(ctx, scope, fn)
	if s.left.Add(-1) == 0 {
		s.do()
	}
	return err
}

// Rule transfers-17: rows that were applied when they were tried, and would not be any more, are no problem of later ones.
func TestDryRunForgetsWhatOthersMakeImpossible(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		rows := []string{"handle,title,status,productPrice,optionValues,sku", "first,First,draft,1,Size=S,F", "first,,,,Size=M,G"}
		for i := range 10 {
			rows = append(rows, fmt.Sprintf("c-%d,C,draft,1,,C-%d", i, i))
		}
		file := rowsOf(append(rows, "second,Second,draft,1,,G", "third,Third,draft,1,,F")...)
		a := b.startImport("products", file, "dryRun", "true")
		begun, _ := a.body["import"].(map[string]any)
		id, _ := begun["id"].(string)
		left := &atomic.Int64{}
		left.Store(3) // the start of the job, the first chunk, and what became of it
		watched := afterStore{b.store, left, func() { b.variant("of-another", "F", 1) }}
		b.imports.Store = watched
		busy := b.instance()
		busy.Store = watched
		if _, err := busy.RunNext(t.Context()); err != nil || left.Load() > 0 {
			t.Fatal(err, left.Load())
		}
		b.importNow(id).want("done 13 0 1", "15 rejected sku:value_not_unique")
		b.imported("products", file).want("done 11 0 3", "2 rejected sku:value_not_unique", "3 rejected <nil>:other_row", "15 rejected sku:value_not_unique")
	})
}

// Rule transfers-17: a dry run that would have to do too many rows again at once fails, and says why.
func TestDryRunDoesABoundedAmountOfRowsAgain(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	rows := []string{"handle,title,status,productPrice,optionValues,sku", "first,First,draft,1,Size=S,F", "first,,,,Size=M,G"}
	for i := range 9 {
		rows = append(rows, fmt.Sprintf("c-%d,C,draft,1,,C-%d", i, i))
	}
	file := rowsOf(append(rows, "second,Second,draft,1,,G")...)
	b.imports.TrialRows = 1
	i := b.imported("products", file, "dryRun", "true")
	if problem, _ := i.job["problem"].(string); i.counts() != "failed 11 0 0" || !strings.Contains(problem, "try the file in parts") {
		t.Errorf("%s %v", i.counts(), i.job)
	}
	b.imports.TrialRows = 2
	b.imported("products", file, "dryRun", "true").want("done 11 0 1", "13 rejected sku:value_not_unique")
}
