package reports_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestMain(m *testing.M) { shops.Main(m) }

// start is when every test begins: in a month before a change of clocks in Europe and in America.
var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// failer is a test, or one of its random histories.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// fixture is a shop of its own on a real database, with what its figures are by the plainest sums there are.
type fixture struct {
	t     failer
	ctx   context.Context //nolint:containedctx // that of the test, which its random histories do not have
	store *sqlstore.Store
	shop  tenant.Settings
	now   time.Time
	maker *reports.Maker
	facts []fact
	moved []moved
}

// moved is a movement of money of which its provider has not told yet, and the place of its fact.
type moved struct {
	entry ports.LedgerEntry
	fact  int
}

// fact is what a shop's figures are made of.
type fact struct {
	report.Row

	at    time.Time
	env   tenant.Environment
	order string
}

func newFixture(ctx context.Context, t failer, store *sqlstore.Store, zone string) *fixture {
	f := &fixture{
		t: t, ctx: ctx, store: store, now: start,
		shop: tenant.Settings{ID: tenant.ID(shops.NewID()), Currency: "KRW", CommerceEnabled: true, TimeZone: zone},
	}
	f.maker = &reports.Maker{Store: store, Reports: store.Reports(), Sums: store.ReportSums(), Now: f.clock}
	return f
}

func (f *fixture) clock() time.Time { return f.now }

func (f *fixture) service() *reports.Service {
	return &reports.Service{Reports: f.store.Reports(), Store: f.store, Sheets: spreadsheet.Codec{}, Now: f.clock}
}

func (f *fixture) admin(env tenant.Environment) tenant.Principal {
	return tenant.Principal{Kind: tenant.User, Role: tenant.Admin, ID: "u1", Tenant: f.shop, Environment: env}
}

func (f *fixture) within(work func(context.Context, ports.Tx) error) {
	f.t.Helper()
	if err := f.store.Atomically(f.ctx, ports.ForTenant(f.shop.ID), work); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) write(s *collection.Schema, before, after collection.Record) {
	f.t.Helper()
	f.within(func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(s, before, after, shops.NewID(), f.now))
	})
}

// record is a record as it is stored.
func (f *fixture) record(s *collection.Schema, id string) collection.Record {
	f.t.Helper()
	r, err := f.store.Read(ports.ForTenant(f.shop.ID)).Get(f.ctx, s, id)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// open writes the shop's record, by which rounds find it.
func (f *fixture) open() {
	f.t.Helper()
	id := string(f.shop.ID)
	f.write(identity.Tenants, nil, collection.Record{
		"id": id, "tenant": id, "name": "Shop", "slug": "shop-" + id, "plan": "enterprise", "currency": "KRW",
		"settings": collection.Record{"timeZone": f.shop.TimeZone},
	})
}

// checkout is a checkout with the prices of a market.
func (f *fixture) checkout(env tenant.Environment, market string) string {
	f.t.Helper()
	id := shops.NewID()
	f.write(checkout.Schema, nil, collection.Record{"id": id, "tenant": string(f.shop.ID), "environment": string(env), "market": market})
	return id
}

// line is a line of an order.
type line struct {
	product string
	units   int64
	each    int64 // minor units
}

// place places an order, of a market unless that is "", which may have been long ago.
func (f *fixture) place(env tenant.Environment, at time.Time, market string, c money.Currency, lines ...line) order.Order {
	f.t.Helper()
	o := order.Order{
		ID: shops.NewID(), Tenant: f.shop.ID, Environment: env, Status: order.Paid, Source: order.FromCheckout, Currency: c,
		Subtotal: money.Of(0, c), Discount: money.Of(0, c), Shipping: money.Of(0, c), Total: money.Of(0, c), Paid: money.Of(0, c),
		Refunded: money.Of(0, c), PlacedAt: collection.TruncateTime(at),
	}
	o.Number = o.ID
	if market != "" {
		o.Checkout = f.checkout(env, market)
	}
	for _, l := range lines {
		total := money.Of(l.units*l.each, c)
		o.Lines = append(o.Lines, order.Line{Line: sale.Line{
			ID: shops.NewID(), Product: l.product, Quantity: l.units, UnitPrice: money.Of(l.each, c), Subtotal: total,
			Discount: money.Of(0, c), Total: total,
		}})
		o.Total = o.Total.Plus(total)
		f.facts = append(f.facts, fact{
			at: o.PlacedAt, env: env, order: o.ID, Row: report.Row{
				Key:  report.Key{Product: l.product, Market: market, Currency: c},
				Sums: report.Sums{Ordered: total.Minor, Units: l.units},
			},
		})
	}
	o.Subtotal = o.Total
	f.write(order.Schema, nil, o.Record())
	return o
}

// cancel cancels an order.
func (f *fixture) cancel(o order.Order) {
	f.t.Helper()
	before := f.stored(o)
	after := before.Clone()
	after["status"] = string(order.Canceled)
	f.write(order.Schema, before, after)
	for i := range f.facts {
		if x := &f.facts[i]; x.order == o.ID {
			x.UnitsCanceled, x.OrdersCanceled = x.Units, 1
		}
	}
}

// cancelUnit cancels one more unit of the first line of an order.
func (f *fixture) cancelUnit(o order.Order) {
	f.t.Helper()
	before := f.stored(o)
	now := order.FromRecord(before)
	l := &now.Lines[0]
	if l.Canceled == l.Quantity || now.Status == order.Canceled {
		return
	}
	l.Canceled++
	now.LineCancels = append(now.LineCancels, order.LineCancel{Done: true, At: f.now, Shipping: money.Of(0, o.Currency)})
	after := before.Clone()
	maps.Copy(after, now.Record())
	f.write(order.Schema, before, after)
	for i := range f.facts {
		if x := &f.facts[i]; x.order == o.ID {
			x.UnitsCanceled++
			return
		}
	}
}

func (f *fixture) stored(o order.Order) collection.Record {
	f.t.Helper()
	r, err := f.store.Read(ports.ForTenant(f.shop.ID)).Get(f.ctx, order.Schema, o.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// move records money of an order that a provider moved.
func (f *fixture) move(o order.Order, market, typ, reference, provider string, at time.Time, minor int64) {
	f.t.Helper()
	m := ports.LedgerEntry{
		ID: shops.NewID(), Tenant: f.shop.ID, Environment: o.Environment, Type: typ, Amount: money.Of(minor, o.Currency), Provider: provider,
		AccountKey: "a", Reference: reference + shops.NewID(), Checkout: o.Checkout, Order: o.ID, At: at,
	}
	f.within(func(ctx context.Context, tx ports.Tx) error { return tx.Ledger.Append(ctx, m) })
	f.moved = append(f.moved, moved{m, len(f.facts)})
	x := fact{at: at, env: o.Environment, Row: report.Row{Key: report.Key{Market: market, Provider: provider, Currency: o.Currency}}}
	switch {
	case typ == "refund":
		x.Refunds = minor
	case strings.HasPrefix(reference, "re"): // of a refund, or what a provider returned
		x.Refunds = -minor
	default:
		x.Payments, x.Revenue = 1, minor
	}
	x.Movements = 1
	f.facts = append(f.facts, x)
}

// tell has the provider of a movement tell what it settles for it. In another currency than the movement's it is not added.
func (f *fixture) tell(n int, net, fee int64, c money.Currency) {
	f.t.Helper()
	x := f.moved[n]
	f.moved = append(f.moved[:n:n], f.moved[n+1:]...)
	f.within(func(ctx context.Context, tx ports.Tx) error {
		return tx.Ledger.Settle(ctx, x.entry, payment.Settled{Net: money.Of(net, c), Fee: money.Of(fee, c)})
	})
	if fact := &f.facts[x.fact]; c == fact.Currency {
		fact.Told, fact.Settled, fact.Fees = 1, net, fee
	}
}

// patience is how long tests wait for days to be added up. On Postgres that waits for every older transaction of the server, of
// other tests, too.
const patience = 3 * time.Minute

// make adds up all days that have ended.
func (f *fixture) make() {
	f.t.Helper()
	f.repeat(func() bool {
		made, err := f.maker.MakeAll(f.ctx, f.shop)
		if err != nil {
			f.t.Fatal(err)
		}
		if made != f.isMade() {
			f.t.Fatalf("made: %t", made)
		}
		return made
	})
}

// rebuild forgets all sums, and makes them again.
func (f *fixture) rebuild() {
	f.t.Helper()
	if err := f.maker.Reset(f.ctx, f.shop); err != nil {
		f.t.Fatal(err)
	}
	f.make()
}

// repeat does something until it is done.
func (f *fixture) repeat(do func() (done bool)) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.ctx, patience)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !do() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			f.t.Fatal("the days were not added up")
		}
	}
}

// isMade reports whether all days that have ended are added up.
func (f *fixture) isMade() bool {
	f.t.Helper()
	s, err := f.store.Reports().State(f.ctx, f.shop.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	zone, err := time.LoadLocation(f.shop.TimeZone)
	if err != nil {
		f.t.Fatal(err)
	}
	return s.Late == 0 && s.Made != nil && *s.Made == report.DayOf(f.now, zone)
}

// wanted are the figures of a period as the facts have them.
func (f *fixture) wanted(p report.Period, env tenant.Environment, g report.Grouping) []report.Row {
	zone, err := time.LoadLocation(f.shop.TimeZone)
	if err != nil {
		f.t.Fatal(err)
	}
	var rows []report.Row
	for _, o := range f.orderFacts(g) {
		x := o.Row
		x.Starts = report.DayOf(o.at, zone)
		if o.env == env && x.Starts >= p.From && x.Starts <= p.To {
			rows = append(rows, x)
		}
	}
	return g.Add(rows)
}

// orderFacts are the facts with how many orders they are: by product an order is one for each of its products, else it is one.
func (f *fixture) orderFacts(g report.Grouping) (all []fact) {
	seen := map[string]bool{}
	for _, x := range f.facts {
		if g == report.ByProduct && x.order == "" {
			continue
		}
		key := x.order
		if g == report.ByProduct {
			key += " " + x.Product
		}
		if x.order != "" && !seen[key] {
			seen[key] = true
			x.Orders = 1
		} else {
			x.OrdersCanceled = 0
		}
		all = append(all, x)
	}
	return all
}
