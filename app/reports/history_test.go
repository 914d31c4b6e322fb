package reports_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// groupings are those that can be asked for.
var groupings = func() (all []report.Grouping) {
	for _, g := range report.Groupings {
		all = append(all, report.Grouping(g))
	}
	return append(all, report.ByNothing)
}()

// Whatever a shop sells, takes, gives back and cancels, in whichever order, and however late it is recorded: its figures are
// those of a plain sum over what happened, before days are added up, while they are, and after. So they equal the ledger, and
// sums that are made again equal those that grew. Rules reports-1, reports-2, reports-4.
func TestFiguresEqualAPlainSumOfWhatHappened(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		rapid.Check(t, func(r *rapid.T) {
			h := &history{fixture: newFixture(t.Context(), r, store, rapid.SampledFrom(zones).Draw(r, "zone")), r: r}
			for range rapid.IntRange(1, 12).Draw(r, "steps") {
				h.step()
			}
			h.compare("in the end")
			h.make()
			h.compare("added up")
			h.verify()
			h.rebuild()
			h.compare("rebuilt")
			h.verify()
		})
	})
}

var zones = []string{"", "Asia/Seoul", "Europe/Berlin", "America/New_York", "Asia/Kolkata"}

// history is a random one.
type history struct {
	*fixture

	r      *rapid.T
	orders []order.Order
	market map[string]string // by order
}

// moment is now, or a while ago.
func (h *history) moment() time.Time {
	ago := rapid.SampledFrom([]time.Duration{0, time.Hour, 25 * time.Hour, 40 * 24 * time.Hour, 70 * 24 * time.Hour}).Draw(h.r, "ago")
	return h.now.Add(-ago)
}

func (h *history) anyOrder() order.Order { return rapid.SampledFrom(h.orders).Draw(h.r, "order") }

func (h *history) step() {
	what := rapid.IntRange(0, 10).Draw(h.r, "what")
	if len(h.orders) == 0 {
		what = 0
	}
	switch what {
	case 0, 1, 2:
		h.placeAny()
	case 3:
		o := h.anyOrder()
		h.move(o, h.market[o.ID], "charge", "p", h.provider(), h.moment(), rapid.Int64Range(1, 50000).Draw(h.r, "paid"))
	case 4:
		o := h.anyOrder()
		h.move(o, h.market[o.ID], "refund", "r", h.provider(), h.moment(), rapid.Int64Range(1, 50000).Draw(h.r, "refund"))
	case 5:
		o := h.anyOrder()
		h.move(o, h.market[o.ID], "charge", rapid.SampledFrom([]string{"reversed:", "returned:1:"}).Draw(h.r, "back"), h.provider(), h.moment(),
			rapid.Int64Range(1, 50000).Draw(h.r, "came back"))
	case 6:
		h.cancel(h.anyOrder())
	case 7:
		h.cancelUnit(h.anyOrder())
	case 8:
		h.now = h.now.Add(rapid.SampledFrom([]time.Duration{time.Hour, 23 * time.Hour, 9 * 24 * time.Hour, 35 * 24 * time.Hour}).Draw(h.r, "later"))
		if rapid.Bool().Draw(h.r, "moved") {
			h.shop.TimeZone = rapid.SampledFrom(zones).Draw(h.r, "zone")
		}
	case 9:
		if _, err := h.maker.MakeTenant(h.ctx, h.shop); err != nil {
			h.r.Fatal(err)
		}
		h.compare("between")
	case 10:
		if len(h.moved) > 0 {
			h.tell(rapid.IntRange(0, len(h.moved)-1).Draw(h.r, "told"), rapid.Int64Range(-50000, 50000).Draw(h.r, "net"),
				rapid.Int64Range(-9, 900).Draw(h.r, "fee"), rapid.SampledFrom([]money.Currency{"KRW", "USD"}).Draw(h.r, "settled in"))
		}
	}
}

func (h *history) provider() string {
	return rapid.SampledFrom([]string{"toss", "stripe", "manual"}).Draw(h.r, "provider")
}

func (h *history) placeAny() {
	market := rapid.SampledFrom([]string{"", "kr", "us"}).Draw(h.r, "market")
	lines := make([]line, rapid.IntRange(1, 3).Draw(h.r, "lines"))
	for i := range lines {
		lines[i] = line{
			rapid.SampledFrom([]string{"", "mug", "lamp"}).Draw(h.r, "product"), rapid.Int64Range(1, 4).Draw(h.r, "units"),
			rapid.Int64Range(0, 9000).Draw(h.r, "each"),
		}
	}
	o := h.place(rapid.SampledFrom([]tenant.Environment{tenant.Live, tenant.Test}).Draw(h.r, "environment"), h.moment(), market,
		rapid.SampledFrom([]money.Currency{"KRW", "USD"}).Draw(h.r, "currency"), lines...)
	h.orders = append(h.orders, o)
	if h.market == nil {
		h.market = map[string]string{}
	}
	h.market[o.ID] = market
}

// compare asks for a period in every way. Where more days wait to be added up than a report reads, the answer says so.
func (h *history) compare(when string) {
	h.r.Helper()
	zone, _ := time.LoadLocation(h.shop.TimeZone)
	to := report.DayOf(h.now, zone) - report.Day(rapid.IntRange(0, 3).Draw(h.r, "to"))
	from := to - report.Day(rapid.SampledFrom([]int{0, 6, 30, 61, 400}).Draw(h.r, "days"))
	for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
		for _, g := range []report.Grouping{rapid.SampledFrom(groupings).Draw(h.r, "by"), report.ByProduct} {
			got, err := h.service().Summary(h.ctx, h.admin(env), reports.Query{From: from.String(), To: to.String(), Grouping: g, Limit: 100})
			if err != nil {
				if to-from < report.MaxLiveDays || when != "between" && when != "in the end" {
					h.r.Fatalf("%s, %s by %q: %v", when, env, g, err)
				}
				continue
			}
			period := report.Period{From: from, To: to}
			h.same(fmt.Sprintf("%s, %s from %s to %s in %q by %q", when, env, from, to, h.shop.TimeZone, g), got.Groups, h.wanted(period, env, g), g)
			h.same(fmt.Sprintf("%s, %s, totals by %q", when, env, g), got.Totals, h.wanted(period, env, report.ByNothing), "totals")
		}
	}
}

func (h *history) same(what string, got, want []report.Row, g report.Grouping) {
	h.r.Helper()
	if g == report.ByNothing {
		want = nil
	}
	if !slices.Equal(got, want) {
		h.r.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

// verify compares sums with facts, and all of them with the ledger.
func (h *history) verify() {
	h.r.Helper()
	v := reports.Verifier{
		Reports: h.store.Reports(), Ledger: h.store.LedgerReader(), Now: h.clock,
		OnDifference: func(d string) { h.r.Errorf("%s", d) },
	}
	if err := v.CheckTenant(h.ctx, h.shop); err != nil {
		h.r.Fatal(err)
	}
}
