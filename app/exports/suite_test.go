package exports_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/blob"
	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/exports"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestMain(m *testing.M) { shops.Main(m) }

// bed is a database, a storage of files and a shop.
type bed struct {
	*exports.Service

	t     *testing.T
	store *sqlstore.Store
	shop  tenant.Settings
	reads *countingStore

	mu     sync.Mutex
	clock  time.Time
	rights func(p tenant.Principal) (tenant.Principal, error) // of who asked, when the export runs
}

// countingStore counts the largest page that was read.
type countingStore struct {
	ports.Store

	mu      sync.Mutex
	pages   int
	largest int
	between func() // called after each page of orders
}

func (s *countingStore) Read(scope ports.Scope) ports.Reader {
	return countingReader{s.Store.Read(scope), s}
}

type countingReader struct {
	ports.Reader

	store *countingStore
}

func (r countingReader) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	page, err := r.Reader.Find(ctx, q)
	if q.Schema == order.Schema && len(page.Docs) > 0 {
		r.store.mu.Lock()
		r.store.pages++
		r.store.largest = max(r.store.largest, len(page.Docs))
		between := r.store.between
		r.store.mu.Unlock()
		if between != nil {
			between()
		}
	}
	return page, err
}

func onBoth(t *testing.T, test func(t *testing.T, b *bed)) {
	t.Helper()
	shops.OnOwnDatabases(t, func(t *testing.T, store *sqlstore.Store, _ testservers.Inspector) { test(t, newBed(t, store)) })
}

func newBed(t *testing.T, store *sqlstore.Store) *bed {
	t.Helper()
	b := &bed{t: t, store: store, reads: &countingStore{Store: store}, clock: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)}
	b.shop = tenant.Settings{ID: b.found(), Plan: tenant.Enterprise, Currency: "KRW", CommerceEnabled: true}
	b.rights = func(p tenant.Principal) (tenant.Principal, error) { return p, nil }
	known, err := collection.NewRegistry(registry.Schemas()...)
	if err != nil {
		t.Fatal(err)
	}
	files, err := blob.Open(t.Context(), blob.Options{URL: "mem://", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	b.Service = &exports.Service{
		Store: b.reads, Records: &records.Service{Store: b.reads, Registry: known, Fold: strings.ToLower, Now: b.now, NewID: shops.NewID},
		Idempotency: &idempotency.Runner{
			Store: store, Claims: store.Claims(), Cache: memory.NewReceipts(1<<20, b.now, store), Now: b.now, NewID: shops.NewID,
		},
		Blobs: files, Sheets: spreadsheet.Codec{TempDir: t.TempDir()}, Now: b.now, NewID: shops.NewID,
	}
	return b
}

// found stores a new shop.
func (b *bed) found() tenant.ID {
	b.t.Helper()
	id := shops.NewID()
	shops.NewView(b.t, b.store, tenant.ID(id)).Atomically(func(ctx context.Context, tx ports.Tx) error {
		shop := collection.Record{"id": id, "tenant": id, "name": "Shop", "slug": id}
		return tx.Records.Write(ctx, collection.NewChange(identity.Tenants, nil, shop, shops.NewID(), b.now()))
	})
	return tenant.ID(id)
}

func (b *bed) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.clock
}

func (b *bed) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clock = b.clock.Add(d)
}

// runner is one of an instance.
func (b *bed) runner() *jobs.Runner {
	return &jobs.Runner{
		Store: b.store, Now: b.now, NewID: shops.NewID, Log: slog.New(slog.DiscardHandler), Kinds: []jobs.Kind{b.Jobs()}, Beat: time.Hour,
		Principal: func(_ context.Context, _ tenant.ID, _ tenant.Environment, by tenant.Actor) (tenant.Principal, error) {
			p := b.editor()
			p.Kind, p.ID = by.Kind, by.ID
			return b.rights(p)
		},
	}
}

func (b *bed) run() {
	b.t.Helper()
	if found, err := b.runner().RunNext(b.t.Context()); err != nil || !found {
		b.t.Fatalf("no export was made: %v", err)
	}
}

func (b *bed) editor() tenant.Principal {
	return tenant.Principal{Kind: tenant.User, ID: "editor", Role: tenant.Editor, Tenant: b.shop, Environment: tenant.Live}
}

func (b *bed) as(p tenant.Principal) idempotency.Call {
	return idempotency.Call{Principal: p, Operation: "exports.start", RequestID: shops.NewID()}
}

// ask starts an export of orders as an editor.
func (b *bed) ask(change func(q *transfer.Request)) (id string) {
	b.t.Helper()
	q := transfer.Request{Kind: "orders", Format: "csv", Locale: transfer.English}
	if change != nil {
		change(&q)
	}
	answer, err := b.Start(b.t.Context(), b.as(b.editor()), q)
	if err != nil {
		b.t.Fatal(err)
	}
	return shops.ParseObject(b.t, answer.Body.String())["export"].(map[string]any)["id"].(string)
}

func (b *bed) job(id string) job.Job {
	b.t.Helper()
	return job.FromRecord(shops.NewView(b.t, b.store, b.shop.ID).Get(transfer.Exports, id))
}

// sell stores orders with two lines each.
func (b *bed) sell(n int) {
	b.t.Helper()
	for from := 0; from < n; from += 500 {
		shops.NewView(b.t, b.store, b.shop.ID).Atomically(func(ctx context.Context, tx ports.Tx) error {
			var changes []collection.Change
			for i := from; i < min(n, from+500); i++ {
				changes = append(changes, collection.NewChange(order.Schema, nil, b.order(i), shops.NewID(), b.now()))
			}
			return tx.Records.Write(ctx, changes...)
		})
	}
}

func (b *bed) order(n int) collection.Record {
	won := func(minor int64) money.Money { return money.Of(minor, "KRW") }
	line := func(sku string) collection.Record {
		return collection.Record{
			"id": shops.NewID(), "title": "=Mug", "sku": sku, "quantity": int64(2), "unitPrice": won(6000), "subtotal": won(12000),
			"discount": won(0), "total": won(12000), "requiresShipping": true, "kind": "physical", "fulfilledQuantity": int64(0),
			"returnedQuantity": int64(0),
		}
	}
	return collection.Record{
		"id": shops.NewID(), "tenant": string(b.shop.ID), "environment": "live", "orderNumber": fmt.Sprintf("20260131-%06d", n), "email": "kim@example.com",
		"status": "paid", "source": "checkout", "currency": "KRW", "paymentStatus": "paid", "fulfillmentStatus": "none",
		"subtotal": won(24000), "discountAmount": won(0), "shippingAmount": won(3000), "totalAmount": won(27000), "refundedAmount": won(0),
		"placedAt": b.clock, "lines": []collection.Record{line("MUG-1"), line("MUG-2")}, "notes": "quick, \"please\"\nor not",
		"shippingAddress": collection.Record{"recipientName": "김 민수", "postalCode": "04524"},
	}
}

// table is the file of an export, header first.
func (b *bed) table(id string) (rows [][]string) {
	b.t.Helper()
	var out bytes.Buffer
	if _, err := b.Download(b.t.Context(), b.editor(), id, &out); err != nil {
		b.t.Fatal(err)
	}
	file, err := b.Sheets.Open(&out)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for {
		row, err := file.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil || row.Problem != "" || len(row.Formulas) > 0 {
			b.t.Fatalf("%v %+v", err, row)
		}
		cells := row.Cells
		if len(rows) > 0 { // workbooks leave out empty cells at the end
			cells = append(cells, make([]string, len(rows[0])-len(cells))...)
		}
		rows = append(rows, cells)
	}
}

// refused checks why a file is not given.
func (b *bed) refused(id string, want error) {
	b.t.Helper()
	if _, err := b.Download(b.t.Context(), b.editor(), id, io.Discard); !errors.Is(err, want) {
		b.t.Errorf("the file: %v, want %v", err, want)
	}
}
