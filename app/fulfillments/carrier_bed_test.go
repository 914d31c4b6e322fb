package fulfillments_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// carrierFixture exports and imports carrier files.
type carrierFixture struct {
	*bed
	*fulfillments.CarrierFiles
}

func newCarrierFixture(b *bed) carrierFixture {
	return carrierFixture{b, &fulfillments.CarrierFiles{
		Store: b.store, Sheets: spreadsheet.Codec{TempDir: b.t.TempDir()}, Idempotency: b.Idempotency, Now: now, NewID: shops.NewID,
		Log: slog.New(slog.DiscardHandler),
	}}
}

func (d carrierFixture) owner() tenant.Principal { return d.staff("", "").Principal }

// change stores an order changed by edit.
func (d carrierFixture) change(id string, edit func(o *order.Order)) {
	d.t.Helper()
	d.atomically(func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, order.Schema, id)
		if err != nil {
			return err
		}
		o := order.FromRecord(r)
		edit(&o)
		return tx.Records.Write(ctx, collection.NewChange(order.Schema, r, o.Record(), shops.NewID(), start))
	})
}

// number is the order number of a stored order.
func (d carrierFixture) number(s storedOrder) string {
	return d.get(order.Schema, s.id).Text("orderNumber")
}

// exported is the rows of an exported file, header first.
func (d carrierFixture) exported(p tenant.Principal, x fulfillments.CarrierExport) [][]string {
	d.t.Helper()
	var out bytes.Buffer
	if err := d.Export(d.t.Context(), p, x, &out, nil); err != nil {
		d.t.Fatal(err)
	}
	var rows [][]string
	file := d.open(out.String())
	for {
		row, err := file.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			d.t.Fatal(err)
		}
		// workbooks omit empty trailing cells
		rows = append(rows, append(row.Cells, make([]string, len(carrier.Columns))...)[:len(carrier.Columns)])
	}
	if err := file.Close(); err != nil {
		d.t.Error(err)
	}
	return rows
}

func (d carrierFixture) open(file string) ports.SpreadsheetReader {
	d.t.Helper()
	r, err := d.Sheets.Open(strings.NewReader(file))
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// sent is a file with these rows, header first, cells separated by commas.
func sent(rows ...string) string { return strings.Join(rows, "\n") + "\n" }

const head = "fulfillmentOrder,orderNumber,carrier,trackingNumber"

// run applies a file.
func (d carrierFixture) run(file string) fulfillments.CarrierReport {
	d.t.Helper()
	r := d.open(file)
	report, err := d.Run(d.t.Context(), d.owner(), r, nil)
	if err := errors.Join(err, r.Close()); err != nil {
		d.t.Fatal(err)
	}
	return report
}

// try finds out what a file would do.
func (d carrierFixture) try(file string) fulfillments.CarrierReport {
	d.t.Helper()
	r := d.open(file)
	report, err := d.Try(d.t.Context(), d.owner(), r, nil)
	if err := errors.Join(err, r.Close()); err != nil {
		d.t.Fatal(err)
	}
	return report
}

// parcels are the fulfillments of an order, oldest first.
func (d carrierFixture) parcels(s storedOrder) (all []order.Fulfillment) {
	d.t.Helper()
	f := order.Fulfillments
	found, err := d.store.Read(ports.ForTenant(d.shop.ID)).Find(d.t.Context(), collection.Query{
		Schema: f, Where: f.Where("order", collection.Equals, s.id), Limit: 100, Page: 1,
		Sort: f.SortBy("id"),
	})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, r := range found.Docs {
		all = append(all, order.FulfillmentFrom(r))
	}
	return all
}

// noted is the note about a row.
func noted(notes []fulfillments.RowNote, row int) string {
	for _, n := range notes {
		if n.Row == row {
			return n.Message
		}
	}
	return ""
}

func decoded(t *testing.T, body []byte) (report struct {
	DryRun                             bool
	Applied, Unchanged, Skipped        int
	MoreErrors, MoreWarnings, MoreRows int
	Rows                               []map[string]any
	Errors, Warnings                   []struct {
		Row             int
		Reason, Message string
		Data            map[string]any
	}
},
) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&report); err != nil {
		t.Fatal(err)
	}
	return report
}

// editGoods is a unit of work that edits the fulfillment state of an order.
func editGoods(
	id string, edit func(g order.OrderFulfillment) (order.OrderFulfillment, error),
) func(ctx context.Context, tx ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		found, err := fulfillments.LockGoods(ctx, tx, id)
		if err != nil {
			return err
		}
		next, err := edit(found.OrderFulfillment)
		if err != nil {
			return err
		}
		changes, err := found.Changes(ctx, tx, next, start, shops.NewID)
		if err != nil || len(changes) == 0 {
			return err
		}
		return tx.Records.Write(ctx, changes...)
	}
}
