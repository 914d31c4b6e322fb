package fulfillments_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// batchFixture makes batches.
type batchFixture struct{ carrierFixture }

func onBatches(t *testing.T, rule func(t *testing.T, d batchFixture)) {
	onBothDatabases(t, func(t *testing.T, b *bed) { rule(t, batchFixture{newCarrierFixture(b)}) })
}

// batch makes a batch, and returns its id.
func (d batchFixture) batch(x fulfillments.BatchRequest) string {
	d.t.Helper()
	a, err := d.CreateBatch(d.t.Context(), d.staff("", ""), x)
	return shops.ParseObject(d.t, string(shops.MustBody(d.t, a, err)))["carrierBatch"].(map[string]any)["id"].(string) //nolint:forcetypeassert // of our own answer
}

func (d batchFixture) release(id string, ids ...string) {
	d.t.Helper()
	a, err := d.ReleaseBatch(d.t.Context(), d.staff("", ""), id, ids)
	shops.MustBody(d.t, a, err)
}

// batchOf is the batch that a fulfillment order is in.
func (d batchFixture) batchOf(s storedOrder) string {
	return d.get(order.FulfillmentOrders, s.byCarrier).Text("carrierBatch")
}

// rows are the rows of the file of a batch, without its header.
func (d batchFixture) rows(id string, onlyOpen bool) [][]string {
	d.t.Helper()
	var out bytes.Buffer
	x := fulfillments.BatchFile{Batch: id, Format: ports.CSV, OnlyOpen: onlyOpen}
	if err := d.ExportBatch(d.t.Context(), d.owner(), x, &out, nil); err != nil {
		d.t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(out.String(), "\uFEFF"))).ReadAll()
	if err != nil {
		d.t.Fatal(err)
	}
	return rows[1:]
}

func (d batchFixture) progress(id string) string {
	d.t.Helper()
	a, err := d.ShowBatch(d.t.Context(), d.staff("", ""), id)
	all := shops.ParseObject(d.t, string(shops.MustBody(d.t, a, err)))
	p, b := all["progress"].(map[string]any), all["carrierBatch"].(map[string]any) //nolint:forcetypeassert // of our own answer
	return fmt.Sprintf("%v of %v: %v open, %v in progress, %v canceled, %v changed, %v released", p["shipped"], b["count"], p["open"],
		p["inProgress"], p["canceled"], p["changed"], b["released"])
}

func TestBatchTakesWhatIsOpenAndInNoBatch(t *testing.T) {
	onBatches(t, func(t *testing.T, d batchFixture) {
		a, b := d.sell("2 mug, 1 course"), d.sell("1 lamp")
		d.sell("1 course")
		d.pack(d.sell("1 mug"), "")
		held, unpaid := d.sell("1 mug"), d.sell("1 mug")
		d.change(held.id, func(o *order.Order) { o.Hold = order.HoldReversed })
		d.change(unpaid.id, func(o *order.Order) { o.Status = order.Pending })
		first := d.batch(fulfillments.BatchRequest{Carrier: order.CJ})
		if d.batchOf(a) != first || d.batchOf(b) != first || d.batchOf(held)+d.batchOf(unpaid) != "" {
			t.Errorf("the batch has something else than what is open")
		}
		if got := d.rows(first, false); len(got) != 2 || got[0][10] != "cj" || got[0][len(carrier.Columns)] != "open" {
			t.Errorf("%q", got)
		}
		refusedBatch(t, "nothing is left", d, fulfillments.BatchRequest{}, order.ErrBatchEmpty)
		refusedBatch(t, "one of it", d, fulfillments.BatchRequest{IDs: []string{a.byCarrier}}, order.ErrInBatch)
		refusedBatch(t, "on hold", d, fulfillments.BatchRequest{IDs: []string{held.byCarrier}}, order.ErrNotOpen)
		refusedBatch(t, "by hand", d, fulfillments.BatchRequest{IDs: []string{a.byHand}}, order.ErrNotOpen)
		refusedBatch(t, "unknown", d, fulfillments.BatchRequest{IDs: []string{shops.NewID()}}, fault.ErrNotFound)
		c, e := d.sell("1 mug"), d.sell("1 mug")
		refusedBatch(t, "one of two is taken", d, fulfillments.BatchRequest{IDs: []string{c.byCarrier, a.byCarrier}}, order.ErrInBatch)
		if second := d.batch(fulfillments.BatchRequest{IDs: []string{c.byCarrier}}); d.batchOf(c) != second || d.batchOf(e) != "" {
			t.Errorf("a refused batch took something, or a named one took more")
		}
		unexported := d.exported(d.owner(), fulfillments.CarrierExport{Format: ports.CSV, Unexported: true})
		if len(unexported) != 2 || unexported[1][1] != e.byCarrier {
			t.Errorf("not exported yet: %q", unexported)
		}
		if got := d.view().All(order.CarrierBatches); len(got) != 2 || got[0].Int("number")+got[1].Int("number") != 3 {
			t.Errorf("%v", got)
		}
	})
}

func refusedBatch(t *testing.T, name string, d batchFixture, x fulfillments.BatchRequest, want error) {
	t.Helper()
	a, err := d.CreateBatch(t.Context(), d.staff("", ""), x)
	refused(t, name, a, err, want)
}

func TestBatchRequestsAreChecked(t *testing.T) {
	t.Parallel()
	many := make([]string, order.MaxCarrierBatch+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for name, c := range map[string]struct {
		carrier, from, to string
		ids               []string
		want              string
	}{
		"an unknown carrier": {carrier: "pigeon", want: "carrier"},
		"no date":            {from: "today", want: "from"},
		"the end first":      {from: "2026-02-01", to: "2026-01-31", want: "to"},
		"no ids":             {ids: []string{}, want: "ids"},
		"an id twice":        {ids: []string{"a", "b", "a"}, want: "ids"},
		"too many":           {ids: many, want: "ids"},
		"ids and days":       {from: "2026-01-31", ids: []string{"a"}, want: "ids"},
	} {
		_, err := fulfillments.ParseBatchRequest(c.carrier, c.from, c.to, "", c.ids)
		if f := fault.From(err); !errors.Is(err, fault.ErrValidation) || f.Fields[0].Field != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if x, err := fulfillments.ParseBatchRequest("HYUNDAI", "2026-01-01", "2026-01-31", "first", nil); err != nil || x.Carrier != order.Lotte {
		t.Errorf("%+v %v", x, err)
	}
}

func TestBatchOfOneKeyIsMadeOnce(t *testing.T) {
	onBatches(t, func(t *testing.T, d batchFixture) {
		call := d.staff(key(), "batch")
		var answers []string
		d.sell("1 mug")
		for range 2 {
			a, err := d.CreateBatch(t.Context(), call, fulfillments.BatchRequest{})
			answers = append(answers, string(shops.MustBody(t, a, err)))
			d.sell("1 mug")
		}
		if answers[0] != answers[1] || len(d.view().All(order.CarrierBatches)) != 1 {
			t.Errorf("the second answer is %s, the first was %s", answers[1], answers[0])
		}
	})
}

func TestReleasedUnitsAreExportedAgain(t *testing.T) {
	onBatches(t, func(t *testing.T, d batchFixture) {
		a, b, c := d.sell("1 mug"), d.sell("2 mug"), d.sell("1 lamp")
		first := d.batch(fulfillments.BatchRequest{})
		d.run(sent(head, c.byCarrier+",,cj,123456789012"))
		for name, x := range map[string]struct {
			id   string
			want error
		}{"shipped": {c.byCarrier, order.ErrBatchDone}, "unknown": {shops.NewID(), order.ErrNotInBatch}} {
			answer, err := d.ReleaseBatch(t.Context(), d.staff("", ""), first, []string{a.byCarrier, x.id})
			refused(t, name, answer, err, x.want)
		}
		if d.batchOf(a) != first {
			t.Error("a refused release took something out")
		}
		d.release(first, a.byCarrier)
		if got := d.progress(first); got != "1 of 3: 1 open, 0 in progress, 0 canceled, 0 changed, 1 released" {
			t.Error(got)
		}
		second := d.batch(fulfillments.BatchRequest{})
		if d.batchOf(a) != second || d.batchOf(b) != first {
			t.Error("the next batch has not what was released alone")
		}
		d.release(first)
		d.release(first) // nothing is left in it but what was shipped
		if got := d.progress(first); got != "1 of 3: 0 open, 0 in progress, 0 canceled, 0 changed, 2 released" || d.batchOf(b) != "" {
			t.Error(got)
		}
		other := d.staff("", "")
		other.Principal.Environment = tenant.Live
		answer, err := d.ReleaseBatch(t.Context(), other, second, nil)
		refused(t, "another environment", answer, err, ports.ErrNotFound)
	})
}

// What was exported and then changed, shipped or stopped is told in the file of the batch, which can be imported as it is.
func TestFileOfABatchTellsWhatBecameOfIt(t *testing.T) {
	onBatches(t, func(t *testing.T, d batchFixture) {
		open, shipped, held, canceled := d.sell("1 mug"), d.sell("2 lamp"), d.sell("3 mug"), d.sell("1 lamp")
		id := d.batch(fulfillments.BatchRequest{Carrier: order.CJ})
		d.run(sent(head, shipped.byCarrier+",,lotte,123456789012"))
		d.change(held.id, func(o *order.Order) { o.Hold = order.HoldReversed })
		d.cancel(canceled)
		d.mark(open, order.AddressChanged)
		want := map[string]string{
			open.byCarrier: "mug x1|1|cj||open|address", shipped.byCarrier: "lamp x2|2|lotte|123456789012|closed|",
			held.byCarrier: "mug x3|3|cj||on_hold|", canceled.byCarrier: "|0|cj||canceled|",
		}
		for _, row := range d.rows(id, false) {
			if got := strings.Join(slices.Concat(row[7:9], row[10:12], row[len(carrier.Columns):]), "|"); got != want[row[1]] {
				t.Errorf("got %s, want %s", got, want[row[1]])
			}
			delete(want, row[1])
		}
		if len(want) > 0 {
			t.Errorf("rows are missing: %v", want)
		}
		if got := d.rows(id, true); len(got) != 1 || got[0][1] != open.byCarrier {
			t.Errorf("open alone: %q", got)
		}
		if got := d.progress(id); got != "1 of 4: 2 open, 0 in progress, 1 canceled, 1 changed, 0 released" {
			t.Error(got)
		}
		var file bytes.Buffer
		if err := d.ExportBatch(t.Context(), d.owner(), fulfillments.BatchFile{Batch: id, Format: ports.XLSX}, &file, nil); err != nil {
			t.Fatal(err)
		}
		if report := d.run(file.String()); report.Unchanged != 1 || report.Applied != 0 || report.Refused() != 0 {
			t.Errorf("the file was imported as it is: %+v", report)
		}
		live := d.owner()
		live.Environment = tenant.Live
		if err := d.ExportBatch(t.Context(), live, fulfillments.BatchFile{Batch: id, Format: ports.CSV}, &file, nil); !errors.Is(err, ports.ErrNotFound) {
			t.Error(err)
		}
	})
}

// goods edits the fulfillment state of an order.
func (d batchFixture) goods(s storedOrder, edit func(g order.OrderFulfillment) (order.OrderFulfillment, error)) error {
	return d.store.Atomically(d.t.Context(), ports.ForTenant(d.shop.ID), editGoods(s.id, edit))
}

func (d batchFixture) cancel(s storedOrder) {
	d.t.Helper()
	if err := d.goods(s, func(g order.OrderFulfillment) (order.OrderFulfillment, error) { return g.Cancel(), nil }); err != nil {
		d.t.Fatal(err)
	}
}

func (d batchFixture) mark(s storedOrder, what string) {
	d.t.Helper()
	if err := d.goods(s, func(g order.OrderFulfillment) (order.OrderFulfillment, error) {
		g.FulfillmentOrders = slices.Clone(g.FulfillmentOrders)
		g.FulfillmentOrders[0] = g.FulfillmentOrders[0].MarkChanged(what)
		return g, nil
	}); err != nil {
		d.t.Fatal(err)
	}
}

// However many packers press at once, each fulfillment order is in one batch.
func TestConcurrentPackersShareNoParcel(t *testing.T) {
	onBatches(t, func(t *testing.T, d batchFixture) {
		const packers, orders = 64, 40
		all, _ := d.sellMany(orders)
		var mu sync.Mutex
		made, empty := 0, 0
		shops.Concurrently(packers, func(int) {
			_, err := newCarrierFixture(d.bed).CreateBatch(t.Context(), d.staff("", ""), fulfillments.BatchRequest{})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				made++
			case errors.Is(err, order.ErrBatchEmpty):
				empty++
			default:
				t.Error(err)
			}
		})
		var counted int64
		for _, b := range d.view().All(order.CarrierBatches) {
			counted += b.Int("count")
		}
		if made+empty != packers || made == 0 || counted != orders {
			t.Errorf("%d batches with %d, %d packers found nothing", made, counted, empty)
		}
		for _, s := range all {
			if r := d.get(order.FulfillmentOrders, s.byCarrier); r.Text("carrierBatch") == "" || r.Sequence() != 2 {
				t.Fatalf("%v has %d changes", r, r.Sequence())
			}
		}
	})
}

// Batches with nothing in common get numbers of their own, however many are made at once.
func TestConcurrentBatchesAreNumbered(t *testing.T) {
	onBatches(t, func(t *testing.T, d batchFixture) {
		const packers = 16
		all, _ := d.sellMany(packers)
		shops.Concurrently(packers, func(i int) { d.batch(fulfillments.BatchRequest{IDs: []string{all[i].byCarrier}}) })
		var numbers []int64
		for _, b := range d.view().All(order.CarrierBatches) {
			numbers = append(numbers, b.Int("number"))
		}
		slices.Sort(numbers)
		if len(numbers) != packers || numbers[0] != 1 || numbers[packers-1] != packers || len(slices.Compact(numbers)) != packers {
			t.Errorf("%d", numbers)
		}
	})
}

// A batch has no more than fits, the oldest first, and says that there are others.
func TestBatchIsBounded(t *testing.T) {
	onBatches(t, func(t *testing.T, d batchFixture) {
		d.sellMany(order.MaxCarrierBatch + 1)
		for _, want := range []struct {
			count int
			more  bool
		}{{order.MaxCarrierBatch, true}, {1, false}} {
			a, err := d.CreateBatch(t.Context(), d.staff("", ""), fulfillments.BatchRequest{})
			got := shops.ParseObject(t, string(shops.MustBody(t, a, err)))
			b := got["carrierBatch"].(map[string]any) //nolint:forcetypeassert // of our own answer
			if fmt.Sprint(b["count"]) != strconv.Itoa(want.count) || got["more"] != want.more {
				t.Errorf("%v, more %v", b["count"], got["more"])
			}
		}
		var total int64
		for _, b := range d.view().All(order.CarrierBatches) {
			total += b.Int("count")
		}
		if s := order.FulfillmentOrders; total != order.MaxCarrierBatch+1 || len(d.unbatched(s)) != 0 {
			t.Errorf("%d are in batches, %d in none", total, len(d.unbatched(s)))
		}
	})
}

func (d batchFixture) unbatched(s *collection.Schema) []collection.Record {
	d.t.Helper()
	all, err := ports.FindAll(d.t.Context(), d.store.Read(ports.ForTenant(d.shop.ID)), collection.Query{
		Schema: s, Where: s.Where("carrierBatch", collection.Exists, false),
		Sort: s.SortBy("id"),
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}
