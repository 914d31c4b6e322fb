package program

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// listeningStore remembers the queries that are asked of it outside of transactions.
type listeningStore struct {
	ports.Store

	asked *[]collection.Query
}

type listeningReader struct {
	ports.Reader

	asked *[]collection.Query
}

func (s listeningStore) Read(scope ports.Scope) ports.Reader {
	return listeningReader{s.Store.Read(scope), s.asked}
}

func (r listeningReader) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	*r.asked = append(*r.asked, q)
	return r.Reader.Find(ctx, q)
}

// carrierQueries are the queries that find what is given to a carrier: those of a batch and of a file, in a shop without orders.
func carrierQueries(t *testing.T, store ports.Store) map[string]collection.Query {
	t.Helper()
	var asked []collection.Query
	clock := func() time.Time { return rareTime }
	s := listeningStore{store, &asked}
	files := fulfillments.CarrierFiles{
		Store: s, Sheets: spreadsheet.Codec{TempDir: t.TempDir()}, Idempotency: &idempotency.Runner{Store: s, Now: clock, NewID: newID}, Now: clock,
		NewID: newID,
	}
	by := tenant.Principal{
		Kind: tenant.SecretKey, Tenant: tenant.Settings{ID: "t0", CommerceEnabled: true}, Environment: tenant.Live, CanRead: true, CanWrite: true,
	}
	if _, err := files.CreateBatch(t.Context(), idempotency.Call{Principal: by}, fulfillments.BatchRequest{}); !errors.Is(err, order.ErrBatchEmpty) {
		t.Fatal(err)
	}
	unexported := fulfillments.CarrierExport{Format: ports.CSV, Unexported: true}
	if err := files.Export(t.Context(), by, unexported, io.Discard, nil); err != nil {
		t.Fatal(err)
	}
	all := map[string]collection.Query{}
	for i, q := range asked {
		all[q.Schema.Slug+" "+strconv.Itoa(i)] = q
	}
	if len(all) != 2+len(order.ExportedStatuses) {
		t.Fatalf("%d queries", len(all))
	}
	return all
}

// manyOrders is how many orders the shop of these tests has had. One in a hundred waits for a carrier.
const manyOrders = 15_000

// shopsOfPackers are how the fulfillment orders of a shop may be spread, as values of their columns.
var shopsOfPackers = map[string]string{
	"all but a few were shipped, none in a batch": "carrier_batch = NULL, status = CASE WHEN substr(id, 2)::int % 100 = 0 THEN 'open' ELSE 'closed' END",
	"all but a few were shipped in batches": "carrier_batch = CASE WHEN substr(id, 2)::int % 100 = 0 THEN NULL ELSE 'b' || substr(id, 2)::int / 1000 END, " +
		"status = CASE WHEN substr(id, 2)::int % 100 = 0 THEN 'open' ELSE 'closed' END",
	"all are in batches that wait, but for a few": "status = 'open', carrier_batch = CASE WHEN substr(id, 2)::int % 100 = 0 THEN NULL ELSE 'b' || substr(id, 2)::int / 1000 END",
}

// What waits for a carrier is found without reading what was shipped.
func TestWorkForCarriersIsFoundByAnIndex(t *testing.T) {
	t.Parallel()
	all, err := Config{}.newRegistry()
	if err != nil {
		t.Fatal(err)
	}
	open := func(o sqlstore.Options) *sqlstore.Store {
		o.Registry, o.Fold = all, foldCase
		store, err := sqlstore.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
		return store
	}
	embedded := open(sqlstore.Options{Path: filepath.Join(t.TempDir(), "data.db")})
	queries := carrierQueries(t, embedded)
	wantCarrierPlans(t, "sqlite", embedded, queries)
	url := testservers.Postgres(t)
	store := open(sqlstore.Options{URL: url})
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	exec := func(text string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	fillTable(t, conn, order.Schema, manyOrders)
	fillTable(t, conn, order.FulfillmentOrders, manyOrders)
	exec("UPDATE orders SET tenant = 't0', environment = 'live', status = CASE WHEN substr(id, 2)::int % 100 = 0 THEN 'preparing' ELSE 'delivered' END")
	for name, values := range shopsOfPackers {
		exec(`UPDATE fulfillment_orders SET tenant = 't0', environment = 'live', type = 'shipping', "order" = id, ` + values)
		exec("VACUUM ANALYZE orders, fulfillment_orders")
		wantCarrierPlans(t, "postgres, "+name, store, queries)
	}
}

// wantCarrierPlans checks that the rows of the queries are found by what is still to be done.
func wantCarrierPlans(t *testing.T, name string, store *sqlstore.Store, queries map[string]collection.Query) {
	t.Helper()
	for what, q := range queries {
		plan, err := store.Explain(t.Context(), ports.ForTenant("t0"), q)
		if err != nil {
			t.Fatal(err)
		}
		page, _, _ := strings.Cut(plan, "\n\n")
		narrowed := slices.ContainsFunc(strings.Split(page, "\n"), func(line string) bool {
			return looksUp(line, "status") || looksUp(line, "carrier_batch IS NULL")
		})
		if wrong := planProblem(page, q); wrong != "" || !narrowed {
			t.Errorf("%s, %s: what waits is not looked up (%s)\n%s", name, what, wrong, page)
		}
	}
}

// looksUp reports whether a line of a plan says that rows are looked up by a condition.
func looksUp(line, condition string) bool {
	if _, postgres, ok := strings.Cut(line, "Index Cond: "); ok {
		return strings.Contains(postgres, condition)
	}
	return strings.HasPrefix(line, "SEARCH r ") && strings.Contains(line[strings.LastIndex(line, "("):], condition+"=?")
}
