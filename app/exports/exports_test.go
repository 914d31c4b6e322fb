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
	"sync/atomic"
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
	"github.com/cartwright-dev/cartwright/domain/fault"
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
	b.shop = tenant.Settings{ID: tenant.ID(shops.NewID()), Plan: tenant.Enterprise, Currency: "KRW", CommerceEnabled: true}
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

func TestOrdersAreExportedWithARowForEachLine(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(2)
		for _, format := range transfer.Formats {
			id := b.ask(func(q *transfer.Request) {
				q.Format, q.Locale = format, transfer.Korean
				q.Columns = []string{
					"orderNumber", "sku", "title", "quantity", "unitPrice", "totalAmount", "recipientName", "notes", "trackingNumbers", "placedAt",
				}
			})
			b.refused(id, transfer.ErrNotDone)
			b.run()
			line := func(order, sku string) string {
				return strings.Join([]string{
					order, sku, "=Mug", "2", "6000", "27000", "김 민수", "quick, \"please\"\nor not", "", "2026-01-31T09:00:00.000Z",
				}, ";")
			}
			want := []string{
				"주문번호;SKU;상품명;수량;단가;주문 합계;수령인;메모;운송장번호;주문일시",
				line("20260131-000000", "MUG-1"), line("20260131-000000", "MUG-2"), line("20260131-000001", "MUG-1"), line("20260131-000001", "MUG-2"),
			}
			rows := b.table(id)
			if len(rows) != len(want) {
				t.Fatalf("%s: %q", format, rows)
			}
			for i, row := range rows {
				if got := strings.Join(row, ";"); got != want[i] {
					t.Errorf("%s: row %d is %q, want %q", format, i, got, want[i])
				}
			}
			if j := b.job(id); j.Status != job.Done || j.Handled != 2 || j.Total == nil || *j.Total != 2 {
				t.Errorf("%s: %+v", format, j)
			}
		}
	})
}

// Another instance takes over an export whose process died in the middle, and the file has every row once.
func TestInterruptedExportBeginsAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		const orders = 250
		b.sell(orders)
		id := b.ask(nil)
		stands, wakes, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		var stood atomic.Bool
		b.reads.between = func() {
			if stood.CompareAndSwap(false, true) {
				close(stands)
				<-wakes
			}
		}
		first := b.runner()
		go func() {
			_, err := first.RunNext(t.Context())
			ended <- err
		}()
		<-stands
		b.pass(job.Lease)
		b.run()
		rows, file := b.table(id), shops.NewView(t, b.store, b.shop.ID).Get(transfer.Exports, id).Text("blob")
		close(wakes)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if len(rows) != 1+2*orders {
			t.Errorf("the file has %d rows", len(rows))
		}
		if now := shops.NewView(t, b.store, b.shop.ID).Get(transfer.Exports, id).Text("blob"); now != file || b.job(id).Status != job.Done {
			t.Errorf("the file was replaced")
		}
		gone, err := b.store.BlobSweep().ClaimExpired(t.Context(), b.now(), b.now().Add(time.Minute), 10)
		if err != nil || len(gone) != 1 || gone[0].Key == file {
			t.Errorf("to be deleted is %v, %v, want the bytes of the first runner", gone, err)
		}
	})
}

// The rows of many orders are never in memory together.
func TestExportReadsPageByPage(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		const orders = 1250
		b.sell(orders)
		id := b.ask(nil)
		b.run()
		if rows := b.table(id); len(rows) != 1+2*orders {
			t.Errorf("the file has %d rows", len(rows))
		}
		if b.reads.largest > 100 || b.reads.pages < orders/100 {
			t.Errorf("read %d pages of at most %d orders", b.reads.pages, b.reads.largest)
		}
	})
}

func TestCanceledExportHasNoFile(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(250)
		waiting := b.ask(nil)
		if _, err := b.Cancel(t.Context(), b.as(b.editor()), waiting); err != nil {
			t.Fatal(err)
		}
		b.refused(waiting, transfer.ErrNoFile)
		running := b.ask(nil)
		var once sync.Once
		b.reads.between = func() {
			once.Do(func() {
				if _, err := b.Cancel(t.Context(), b.as(b.editor()), running); err != nil {
					t.Error(err)
				}
			})
		}
		b.run()
		if j := b.job(running); j.Status != job.Canceled || j.Handled > 100 {
			t.Errorf("it is %+v", j)
		}
		b.refused(running, transfer.ErrNoFile)
		if _, err := b.Cancel(t.Context(), b.as(b.editor()), running); err != nil {
			t.Errorf("canceled again: %v", err)
		}
		b.reads.between = nil
		done := b.ask(nil)
		b.run()
		if _, err := b.Cancel(t.Context(), b.as(b.editor()), done); !errors.Is(err, job.ErrEnded) {
			t.Errorf("canceled after its end: %v", err)
		}
	})
}

func TestExportRunsWithTheRightsOfThen(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(1)
		for name, rights := range map[string]func(p tenant.Principal) (tenant.Principal, error){
			"marketers may not read orders": func(p tenant.Principal) (tenant.Principal, error) { p.Role = tenant.Marketer; return p, nil },
			"suspended":                     func(p tenant.Principal) (tenant.Principal, error) { return p, tenant.ErrSuspended },
		} {
			id := b.ask(nil)
			b.rights = rights
			b.run()
			if j := b.job(id); j.Status != job.Failed || j.Problem == "" {
				t.Errorf("%s: %+v", name, j)
			}
			b.refused(id, transfer.ErrNoFile)
		}
	})
}

func TestExportsAreOfThoseWhoMayReadWhatTheyShow(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(1)
		id := b.ask(nil)
		b.run()
		with := func(change func(p *tenant.Principal)) tenant.Principal {
			p := b.editor()
			change(&p)
			return p
		}
		shopper := func(kind tenant.Kind) tenant.Principal {
			return with(func(p *tenant.Principal) { p.Kind, p.Role = kind, "" })
		}
		key := func(reads, writes bool) tenant.Principal {
			return with(func(p *tenant.Principal) { p.Kind, p.Role, p.CanRead, p.CanWrite = tenant.SecretKey, "", reads, writes })
		}
		for name, c := range map[string]struct {
			p            tenant.Principal
			start, other error
		}{
			"viewer":       {p: with(func(p *tenant.Principal) { p.Role = tenant.Viewer })},
			"packer":       {p: with(func(p *tenant.Principal) { p.Role = tenant.Packer })},
			"marketer":     {p: with(func(p *tenant.Principal) { p.Role = tenant.Marketer }), start: fault.ErrForbidden, other: ports.ErrNotFound},
			"other shop":   {p: with(func(p *tenant.Principal) { p.Tenant.ID = tenant.ID(shops.NewID()) }), other: ports.ErrNotFound},
			"in test":      {p: with(func(p *tenant.Principal) { p.Environment = tenant.Test }), other: ports.ErrNotFound},
			"reading key":  {p: key(true, false), start: fault.ErrForbidden},
			"writing key":  {p: key(true, true)},
			"writing only": {p: key(false, true), start: fault.ErrForbidden, other: fault.ErrForbidden},
			"client key":   {p: shopper(tenant.ClientKey), start: fault.ErrForbidden, other: fault.ErrForbidden},
			"customer":     {p: shopper(tenant.Customer), start: fault.ErrForbidden, other: fault.ErrForbidden},
			"nobody":       {p: tenant.Principal{Kind: tenant.Anonymous}, start: fault.ErrUnauthenticated, other: fault.ErrUnauthenticated},
		} {
			if _, err := b.Start(t.Context(), b.as(c.p), transfer.Request{Kind: "orders", Format: "csv", Locale: transfer.English}); !errors.Is(err, c.start) {
				t.Errorf("%s starts: %v, want %v", name, err, c.start)
			}
			if _, err := b.Download(t.Context(), c.p, id, io.Discard); !errors.Is(err, c.other) {
				t.Errorf("%s downloads: %v, want %v", name, err, c.other)
			}
		}
	})
}

func TestExportsThatMakeNoSenseAreRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		for name, q := range map[string]transfer.Request{
			"unknown kind":   {Kind: "dreams"},
			"unknown column": {Kind: "orders", Columns: []string{"orderNumber", "shoeSize"}},
			"twice":          {Kind: "orders", Columns: []string{"sku", "sku"}},
			"no column":      {Kind: "orders", Columns: []string{}},
			"where":          {Kind: "orders", Where: map[string]any{"shoeSize": map[string]any{"equals": "42"}}},
			"hidden field":   {Kind: "orders", Where: map[string]any{"importHash": map[string]any{"exists": true}}},
			"not a where":    {Kind: "orders", Where: "all"},
		} {
			q.Format, q.Locale = "csv", transfer.English
			if _, err := b.Start(t.Context(), b.as(b.editor()), q); fault.From(err).Kind != fault.Invalid {
				t.Errorf("%s: %v", name, err)
			}
		}
		if all := shops.NewView(t, b.store, b.shop.ID).All(transfer.Exports); len(all) != 0 {
			t.Errorf("stored %v", all)
		}
	})
}

func TestWaitingExportsOfAShopAreLimited(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		var last string
		for range job.MaxOpen {
			last = b.ask(nil)
		}
		start := func() error {
			_, err := b.Start(t.Context(), b.as(b.editor()), transfer.Request{Kind: "orders", Format: "csv", Locale: transfer.English})
			return err
		}
		if err := start(); !errors.Is(err, job.ErrTooMany) {
			t.Errorf("one more: %v", err)
		}
		if _, err := b.Cancel(t.Context(), b.as(b.editor()), last); err != nil {
			t.Fatal(err)
		}
		if err := start(); err != nil {
			t.Errorf("after one was canceled: %v", err)
		}
	})
}

func TestExpiredExportIsGone(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		id := b.ask(nil)
		b.run()
		b.pass(job.KeepFor)
		b.refused(id, ports.ErrNotFound)
		if _, err := b.runner().Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.refused(id, ports.ErrNotFound)
	})
}

func TestRepeatedRequestStartsOneExport(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		call := b.as(b.editor())
		call.Key = "ik_0123456789abcdef"
		q := transfer.Request{Kind: "orders", Format: "csv", Locale: transfer.English}
		first, err := b.Start(t.Context(), call, q)
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.Start(t.Context(), call, q)
		if err != nil || again.Body.String() != first.Body.String() {
			t.Errorf("%v, %v", again, err)
		}
		if all := shops.NewView(t, b.store, b.shop.ID).All(transfer.Exports); len(all) != 1 {
			t.Errorf("%d exports", len(all))
		}
	})
}
