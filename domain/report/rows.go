package report

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Grouping is by what the rows of a report are told apart, besides the currency.
type Grouping string

// The groupings.
const (
	ByNothing  Grouping = ""
	ByDay      Grouping = "day"
	ByWeek     Grouping = "week" // from Monday
	ByMonth    Grouping = "month"
	ByMarket   Grouping = "market"
	ByProvider Grouping = "provider" // of payments
	ByProduct  Grouping = "product"

	// ByProviderAndDay is that of settlements, and ByAll tells apart what totals tell apart: day, market and provider;
	// ByMonthAndAll months in place of days.
	ByProviderAndDay Grouping = "providerAndDay"
	ByAll            Grouping = "all"
	ByMonthAndAll    Grouping = "monthAndAll"
)

// Groupings lists the groupings that can be asked for.
var Groupings = []string{string(ByDay), string(ByWeek), string(ByMonth), string(ByMarket), string(ByProvider), string(ByProduct)}

// InMonths reports whether months may be read as a whole.
func (g Grouping) InMonths() bool {
	return g != ByDay && g != ByWeek && g != ByProviderAndDay && g != ByAll
}

// Sums are the figures of one currency. Amounts are minor units.
type Sums struct {
	Orders         int64 // that were placed
	OrdersCanceled int64 // of these
	Ordered        int64 // what they came to; of a product, its lines after discounts
	Units          int64
	UnitsCanceled  int64
	Payments       int64 // that buyers made
	Revenue        int64 // what these came to
	Refunds        int64 // money that left again; negative where more of it came back
	Movements      int64 // of money
	Told           int64 // of these, those of which the provider says in this currency what it settles for them
	Settled        int64 // what it says of these, less its fees
	Fees           int64 // what it keeps of these
}

// Plus is s + o.
func (s Sums) Plus(o Sums) Sums {
	return Sums{
		s.Orders + o.Orders, s.OrdersCanceled + o.OrdersCanceled, s.Ordered + o.Ordered, s.Units + o.Units,
		s.UnitsCanceled + o.UnitsCanceled, s.Payments + o.Payments, s.Revenue + o.Revenue, s.Refunds + o.Refunds,
		s.Movements + o.Movements, s.Told + o.Told, s.Settled + o.Settled, s.Fees + o.Fees,
	}
}

// Net is what is left of the revenue: what the balance of the ledger grew by.
func (s Sums) Net() int64 { return s.Revenue - s.Refunds }

// IsTold reports whether the provider told of every movement what it settles for it.
func (s Sums) IsTold() bool { return s.Movements > 0 && s.Told == s.Movements }

// Average is what an order came to on average, rounded half up to whole minor units; ok is false without orders.
func (s Sums) Average() (minor int64, ok bool) {
	if s.Orders == 0 {
		return 0, false
	}
	minor, err := money.HalfUp.Round(big.NewRat(s.Ordered, s.Orders))
	return minor, err == nil
}

// Key is what tells rows apart. Starts is the first day of a day, week or month, and nothing in other groupings.
type Key struct {
	Starts   Day
	Market   string // id; "": the shop's own prices
	Provider string // of payments; "": none
	Product  string // id; "": goods that are not in the catalog
	Currency money.Currency
}

// Row is the figures of a group in one currency.
type Row struct {
	Key
	Sums
}

func compareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Starts, b.Starts), cmp.Compare(a.Market, b.Market), cmp.Compare(a.Provider, b.Provider),
		cmp.Compare(a.Product, b.Product), cmp.Compare(a.Currency, b.Currency))
}

// keep is the part of k that g tells apart.
func (g Grouping) keep(k Key) Key {
	out := Key{Currency: k.Currency}
	switch g {
	case ByDay:
		out.Starts = k.Starts
	case ByWeek:
		out.Starts = k.Starts.Week()
	case ByMonth:
		out.Starts = k.Starts.Month()
	case ByMarket:
		out.Market = k.Market
	case ByProvider:
		out.Provider = k.Provider
	case ByProduct:
		out.Product = k.Product
	case ByProviderAndDay:
		out.Starts, out.Provider = k.Starts, k.Provider
	case ByAll:
		out.Starts, out.Market, out.Provider = k.Starts, k.Market, k.Provider
	case ByMonthAndAll:
		out.Starts, out.Market, out.Provider = k.Starts.Month(), k.Market, k.Provider
	case ByNothing:
	}
	return out
}

// Add adds up rows by g. Days, weeks and months come in their order, products by their units, most first, all others by
// revenue. A group of providers is about payments: rows without a provider are left out.
func (g Grouping) Add(rows []Row) []Row {
	sums := map[Key]Sums{}
	for _, r := range rows {
		if r.Provider != "" || g != ByProvider && g != ByProviderAndDay {
			k := g.keep(r.Key)
			sums[k] = sums[k].Plus(r.Sums)
		}
	}
	out := make([]Row, 0, len(sums))
	for k, s := range sums {
		out = append(out, Row{k, s})
	}
	slices.SortFunc(out, func(a, b Row) int {
		switch g {
		case ByMarket, ByProvider:
			return cmp.Or(cmp.Compare(b.Revenue, a.Revenue), compareKeys(a.Key, b.Key))
		case ByProduct:
			return cmp.Or(cmp.Compare(b.Units, a.Units), compareKeys(a.Key, b.Key))
		case ByNothing, ByDay, ByWeek, ByMonth, ByProviderAndDay, ByAll, ByMonthAndAll:
		}
		return compareKeys(a.Key, b.Key)
	})
	return out
}
