package rest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/ports"
)

var errKilled = errors.New("the process was killed")

// mortalStore is the store of a process that is killed after so many transactions: the last one is committed, but nobody learns
// of it, and nothing reaches the database afterwards.
type mortalStore struct {
	ports.Store

	left *atomic.Int64
}

// Atomically implements ports.Store.
func (s mortalStore) Atomically(ctx context.Context, scope ports.Scope, fn func(ctx context.Context, tx ports.Tx) error) error {
	left := s.left.Add(-1)
	if left < 0 {
		return errKilled
	}
	err := s.Store.Atomically(ctx, scope, fn)
	if left == 0 {
		return errKilled
	}
	return err
}

// killed does a job with a process that is killed after so many transactions, and lets its lease end.
func (b *harness) killed(after int64) {
	b.t.Helper()
	left := &atomic.Int64{}
	left.Store(after)
	dying := b.instance()
	dying.Store = mortalStore{b.store, left}
	if _, err := dying.RunNext(context.Background()); err == nil && left.Load() < 0 {
		b.t.Errorf("killed after %d transactions, and nobody noticed", after)
	}
	b.advance(job.Lease)
}

// begin sends a file and answers the id of its import, which waits.
func (b *harness) begin(kind, file string) string {
	b.t.Helper()
	a := b.startImport(kind, file)
	begun, _ := a.body["import"].(map[string]any)
	id, _ := begun["id"].(string)
	if a.status != 201 || id == "" {
		b.t.Fatalf("%d %s", a.status, a.raw)
	}
	return id
}

func (b *harness) importNow(id string) imported {
	b.t.Helper()
	return imported{b, id, b.secret(200, "GET", "/api/imports/"+id, "").body}
}

// Rule transfers-15: counts of stock whose process is killed after any transaction are taken over, and each counts once.
func TestImportOfStockIsTakenOver(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		const variants = 220 // three chunks
		input := make([]string, variants)
		for i := range input {
			input[i] = fmt.Sprintf(`{"sku":"S-%d","stock":1,"optionValues":[{"option":"N","value":"%d"}]}`, i, i)
		}
		values := make([]string, variants)
		for i := range values {
			values[i] = fmt.Sprintf(`{"label":"%d"}`, i)
		}
		b.secret(201, "POST", "/api/products/complete", fmt.Sprintf(
			`{"name":"Many","slug":"many","status":"draft","price":1,"options":[{"name":"N","values":[%s]}],"variants":[%s]}`,
			strings.Join(values, ","), strings.Join(input, ",")))
		for kill := int64(1); kill <= 4; kill++ {
			file := []string{"sku,onHand"}
			for i := range variants {
				file = append(file, fmt.Sprintf("S-%d,%d", i, kill*10))
			}
			id := b.begin("stock", rowsOf(file...))
			b.killed(kill)
			b.runJobs()
			i := b.importNow(id)
			i.want(fmt.Sprintf("done %d 0 0", variants))
			moved := b.secret(200, "GET", fmt.Sprintf("/api/stock-movements?limit=1&where[kind][equals]=count&where[stockAfter][equals]=%d", kill*10), "")
			if moved.body["totalDocs"] != float64(variants) {
				t.Errorf("killed after %d transactions: %v movements", kill, moved.body["totalDocs"])
			}
			if i.job["handled"] != float64(variants) || i.job["total"] != float64(variants) {
				t.Errorf("killed after %d transactions: %v of %v", kill, i.job["handled"], i.job["total"])
			}
			b.wantRows(i, variants)
		}
	})
}

// wantRows checks that there is a result of every row, in order, and none twice.
func (b *harness) wantRows(i imported, n int) {
	b.t.Helper()
	next, want := 1.0, 2.0
	for more := true; more; {
		page := b.secret(200, "GET", fmt.Sprintf("/api/imports/%s/rows?limit=90&after=%v", i.id, next), "")
		rows, _ := page.body["rows"].([]any)
		for _, it := range rows {
			if row := it.(map[string]any)["row"]; row != want {
				b.t.Errorf("got row %v, want %v", row, want)
			}
			want++
		}
		next, more = page.body["next"].(float64)
	}
	if want != float64(n+2) {
		b.t.Errorf("%v rows are told, want %d", want-2, n)
	}
}

// Rule transfers-15: the same with orders, by two instances that work at once.
func TestImportOfOrdersIsTakenOver(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		const orders = 60 // three chunks
		file := []string{"orderNumber,status,email,totalAmount,title,quantity,unitPrice"}
		for i := range orders {
			file = append(file, fmt.Sprintf("A-%d,paid,ann@example.com,30,Tea,2,10", i), fmt.Sprintf("A-%d,,,,Cup,1,10", i))
		}
		id := b.begin("orders", rowsOf(file...))
		b.killed(3)
		var busy [2]*jobs.Runner
		for i := range busy {
			busy[i] = b.instance()
		}
		done := make(chan error, len(busy))
		for _, r := range busy {
			go func() {
				_, err := r.RunNext(context.Background())
				done <- err
			}()
		}
		for range busy {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		b.importNow(id).want(fmt.Sprintf("done %d 0 0", 2*orders))
		b.wantRows(b.importNow(id), 2*orders)
		if all := b.secret(200, "GET", "/api/orders?limit=1", ""); all.body["totalDocs"] != float64(orders) {
			t.Errorf("there are %v orders", all.body["totalDocs"])
		}
		b.imported("orders", rowsOf(file...)).want(fmt.Sprintf("done 0 %d 0", 2*orders))
	})
}

// Rule transfers-14.
func TestImportIsCanceledBetweenChunks(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	file := []string{"email"}
	for i := range 120 {
		file = append(file, fmt.Sprintf("c%d@example.com", i))
	}
	id := b.begin("customers", rowsOf(file...))
	b.killed(2) // the claim, and one chunk
	if a := b.secret(200, "POST", "/api/imports/"+id+"/cancel", ""); !strings.Contains(a.raw, `"cancelRequested":true`) {
		t.Errorf("%s", a.raw)
	}
	b.runJobs()
	i := b.importNow(id)
	i.want("canceled 50 0 0")
	b.wantRows(i, 50)
	if all := b.secret(200, "GET", "/api/customers?limit=1", ""); all.body["totalDocs"] != 50.0 {
		t.Errorf("there are %v customers", all.body["totalDocs"])
	}
	b.secret(200, "POST", "/api/imports/"+id+"/cancel", "")
	waiting := b.begin("customers", rowsOf(file...))
	if a := b.secret(200, "POST", "/api/imports/"+waiting+"/cancel", ""); !strings.Contains(a.raw, `"status":"canceled"`) {
		t.Errorf("%s", a.raw)
	}
	b.advance(job.KeepFor)
	if more, err := b.instance().Sweep(context.Background()); more || err != nil {
		t.Errorf("%v %v", more, err)
	}
	for _, slug := range []string{"imports", "import-results"} {
		if left := b.secret(200, "GET", "/api/"+slug, "").docs(); len(left) != 0 {
			t.Errorf("%s are left: %v", slug, left)
		}
	}
}
