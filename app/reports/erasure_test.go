package reports_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// buyer is whose orders are erased.
const buyer = "kim@shopper.example"

// boughtBy makes an order one that was delivered to a customer; "": to the guest.
func (f *fixture) boughtBy(o order.Order, customer string) {
	before := f.stored(o)
	after := before.Clone()
	after["email"], after["customer"], after["notes"] = buyer, collection.TextOrNull(customer), "for Kim"
	if after["status"] != string(order.Canceled) {
		after["status"] = string(order.Delivered)
	}
	f.write(order.Schema, before, after)
}

// figures are all that is reported, and the ledger, as texts.
func (f *fixture) figures() string {
	f.t.Helper()
	var out strings.Builder
	var ids []string
	entries, err := f.store.LedgerReader().Entries(f.ctx, f.shop.ID, "", 1000)
	for _, e := range entries {
		fmt.Fprintf(&out, "%+v\n", e)
		ids = append(ids, e.Order)
	}
	balances, failed := f.store.LedgerReader().Balances(f.ctx, f.shop.ID, ids)
	if fmt.Fprintln(&out, balances); err != nil || failed != nil {
		f.t.Fatal(err, failed)
	}
	for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
		for _, by := range report.Groupings {
			if err := f.service().WriteSummary(f.ctx, f.admin(env), reports.Query{Grouping: report.Grouping(by), Limit: 500}, &out); err != nil {
				f.t.Fatal(err)
			}
		}
		if err := f.service().WriteSettlement(f.ctx, f.admin(env), reports.Query{}, &out); err != nil {
			f.t.Fatal(err)
		}
	}
	return out.String()
}

// erase erases a customer and the guest with the same address.
func (f *fixture) erase(customer string) {
	f.t.Helper()
	call := idempotency.Call{Principal: f.admin(tenant.Live)}
	s := personaldata.Service{
		Store: f.store, Records: &records.Service{Fold: strings.ToLower}, Now: f.clock, NewID: shops.NewID, Idempotency: &idempotency.Runner{},
		Find: f.store.ErasureFinder(),
	}
	if _, err := s.EraseGuest(f.ctx, call, buyer, ""); err != nil {
		f.t.Fatal(err)
	}
	if _, err := s.EraseCustomer(f.ctx, call, customer, ""); err != nil {
		f.t.Fatal(err)
	}
	e := personaldata.Eraser{Store: f.store, Find: f.store.ErasureFinder(), Now: f.clock, NewID: shops.NewID, Fold: strings.ToLower}
	for range 4 {
		if _, err := e.Run(f.ctx); err != nil {
			f.t.Fatal(err)
		}
		f.now = f.now.Add(2 * time.Minute)
	}
}

// Whatever is erased: every figure, every row of a settlement and every entry of the ledger stays as it is, to the last byte.
// Rules access-60, access-63.
func TestErasuresChangeNoFigure(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		f := newFixture(t.Context(), t, store, "Asia/Seoul")
		customer := shops.NewID()
		f.write(identity.Customers, nil, collection.Record{"id": customer, "tenant": string(f.shop.ID), "email": buyer, "name": "Kim"})
		var orders []order.Order
		for i := range 6 {
			at := start.AddDate(0, 0, -i)
			o := f.place(tenant.Live, at, "", "KRW", line{"mug", 3, 1000}, line{"cap", 1, 500})
			f.move(o, "", "charge", "p", "toss", at, 3500)
			if i%2 == 0 {
				f.move(o, "", "refund", "r", "toss", at.Add(time.Hour), 700)
				f.cancelUnit(o)
			}
			orders = append(orders, o)
		}
		f.tell(0, 3400, 100, "KRW")
		f.cancel(orders[5])
		for i, o := range orders {
			f.boughtBy(o, map[bool]string{true: customer}[i < 3])
		}
		f.make()
		was := f.figures()
		f.erase(customer)
		for _, o := range orders {
			r := f.stored(o)
			if r.Text("email") == buyer || r["notes"] != nil {
				t.Fatalf("it was not erased: %v", r)
			}
		}
		if now := f.figures(); now != was {
			t.Errorf("before:\n%s\nafter:\n%s", was, now)
		}
		f.make()
		if now := f.figures(); now != was {
			t.Errorf("added up again:\n%s\nbefore:\n%s", now, was)
		}
	})
}
