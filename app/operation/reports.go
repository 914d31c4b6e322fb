package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The rows of products that a report has.
const (
	defaultProducts = 50
	maxProducts     = 500
)

// count is a number that an answer always has.
func count(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Integer, Required: true, NonNull: true, Doc: doc}
}

// amount is money in the currency of its row.
func amount(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Money, Currency: "currency", Required: true, NonNull: true, Doc: doc}
}

// unsaid is money that may be null.
func unsaid(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Money, Currency: "currency", Doc: doc}
}

var currencyMember = collection.Field{Name: "currency", Kind: collection.Text, Required: true, NonNull: true, Doc: "ISO 4217 code of the row's amounts."}

// sumFields are the figures of a row.
var sumFields = []collection.Field{
	currencyMember,
	count("orders", "Orders that were placed."),
	count("ordersCanceled", "How many of these were canceled since."),
	amount("ordered", "What these orders came to, with shipping and after discounts; of a product, its lines after discounts."),
	count("units", "Units ordered."),
	count("unitsCanceled", "How many of these were canceled since."),
	unsaid("average", "What an order came to on average: ordered by orders, rounded half up; null without orders."),
	count("payments", "Payments that buyers made."),
	amount("revenue", "What these payments came to."),
	amount("refunds", "Money that was given back or taken back by a provider, less what of that came back; negative where more came back."),
	amount("net", "Revenue less refunds: what the balance of the ledger changed by."),
}

// groupFields are sumFields of a group, with what tells it apart.
var groupFields = append([]collection.Field{
	{Name: "starts", Kind: collection.Text, Doc: "First day of the day, week or month, such as 2026-01-31; null in other groups."},
	{Name: "market", Kind: collection.Text, Doc: "Id of the market; null for the shop's own prices, and in other groups."},
	{Name: "provider", Kind: collection.Text, Doc: "Name of the payment provider; null in other groups."},
	{Name: "product", Kind: collection.Text, Doc: "Id of the product; null for goods that are not in the catalog, and in other groups."},
}, sumFields...)

// dayFields are the days of a report.
var dayFields = []collection.Field{
	{Name: "from", Kind: collection.Text, Required: true, NonNull: true, Doc: "The first day."},
	{Name: "to", Kind: collection.Text, Required: true, NonNull: true, Doc: "The last day."},
}

var zoneMember = collection.Field{
	Name: "timeZone", Kind: collection.Text, Required: true, NonNull: true, Doc: "IANA name of the shop's time zone, whose days these are.",
}

// summaryFields are the answer of reports.summary.
var summaryFields = append(slices.Clip(dayFields), zoneMember,
	collection.Field{Name: "totals", Kind: collection.Array, Required: true, Fields: sumFields, Doc: "The figures of all days, a row per currency."},
	collection.Field{
		Name: "groups", Kind: collection.Array, OmitMissing: true, Fields: groupFields,
		Doc: "The figures by what was asked for with by, a row per group and currency; those without figures are left out. Left out without by.",
	},
	collection.Field{
		Name: "comparedWith", Kind: collection.Group, OmitMissing: true, Doc: "The period that was asked for with compare; left out without it.",
		Fields: append(slices.Clip(dayFields),
			collection.Field{Name: "totals", Kind: collection.Array, Required: true, Fields: sumFields, Doc: "Its figures, a row per currency."}),
	},
)

// settlementSums are what the ledger says of a provider.
var settlementSums = []collection.Field{
	{Name: "provider", Kind: collection.Text, Required: true, NonNull: true, Doc: "Name of the payment provider; custom and manual payments have one, too."},
	currencyMember,
	count("payments", "Payments that it captured."),
	amount("captured", "What these came to."),
	amount("refunded", "What it gave back or took back, less what of that came back."),
	amount("net", "Captured less refunded."),
}

// reportedFields are what a provider says itself.
var reportedFields = []collection.Field{
	unsaid("reported", "What the provider says that it settles, less its fees; null unless it told of every movement."),
	unsaid("fees", "What the provider keeps; null unless it told of every movement."),
	unsaid("difference", "Reported and fees less net, 0 where the provider and the ledger agree; null unless the provider told of every movement."),
	{
		Name: "notReported", Kind: collection.Select, Options: reports.NotReportedReasons,
		Doc: "Why the provider's own figures are null: it told of no movement, of some only (not yet, or in another currency), or the money went past any provider.",
	},
}

// settlementFields are the answer of reports.settlement.
var settlementFields = append(slices.Clip(dayFields), zoneMember,
	collection.Field{
		Name: "totals", Kind: collection.Array, Required: true, Fields: slices.Concat(settlementSums, reportedFields),
		Doc: "All days, a row per provider and currency.",
	},
	collection.Field{
		Name: "days", Kind: collection.Array, Required: true,
		Fields: slices.Concat(
			[]collection.Field{{Name: "day", Kind: collection.Text, Required: true, NonNull: true, Doc: "The day."}}, settlementSums, reportedFields,
		),
		Doc: "A row per day, provider and currency; days without movements are left out.",
	},
)

// periodInput is the days of a report.
var periodInput = []collection.Field{
	{Name: "from", Kind: collection.Text, Doc: "First day, in the shop's time zone, such as 2026-01-01; defaults to the 30th day up to the last."},
	{Name: "to", Kind: collection.Text, Doc: "Last day; defaults to today. A report is about at most 1096 days."},
}

var (
	byInput = collection.Field{
		Name: "by", Kind: collection.Select, Options: report.Groupings,
		Doc: "What to tell apart: day, week (from Monday), month, market, provider (of money alone), or product (of orders alone, most units first).",
	}
	limitInput = collection.Field{
		Name: "limit", Kind: collection.Integer, Min: collection.Bound(1), Max: collection.Bound(maxProducts),
		Doc: "How many rows of products to answer; default 50.",
	}
	summaryInput = append(slices.Clip(periodInput), byInput, collection.Field{
		Name: "compare", Kind: collection.Select, Options: report.Comparisons,
		Doc: "A period to show beside: previous is as many days right before, previousYear the same dates a year earlier.",
	}, limitInput)
	settlementInput = append(slices.Clip(periodInput), collection.Field{
		Name: "provider", Kind: collection.Text, MaxLength: 100, Doc: "Only this payment provider.", //nolint:mnd // longer than any name
	})
)

// Reports are the operations of figures. Rules: features/reports/RULES.md.
func Reports(s *reports.Service) []Operation {
	list := []Operation{today(s), summaryReport(s), summaryFile(s), settlementReport(s), settlementFile(s), taxReport(s), taxFile(s)}
	for i := range list {
		list[i].Method, list[i].Surfaces, list[i].AllowedKinds = get, Root, []tenant.Kind{tenant.User, tenant.SecretKey}
		list[i].Reasons = []*fault.Error{reports.ErrPending, tenant.ErrFeatureDisabled}
	}
	return list
}

func summaryReport(s *reports.Service) Operation {
	return Operation{
		Name: "reports.summary", GraphQL: "reportSummary", Summary: "Show what was sold and paid",
		Doc: "Figures of whole days in the shop's time zone: orders by when they were placed, money by when it moved, as the ledger has it. Amounts of different currencies are never added. " +
			"For those who may read orders and transactions.",
		Path: "/reports/summary", Input: summaryInput, Output: summaryFields,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := summaryQuery(in)
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			out, err := s.Summary(ctx, call.Principal, q)
			return respond(summaryFields, summaryRecord(out), err)
		},
	}
}

// summaryQuery reads summaryInput.
func summaryQuery(in *Input) reports.Query {
	return reports.Query{
		From: in.Text("from"), To: in.Text("to"), Grouping: report.Grouping(in.Choice("by")), Compare: report.Comparison(in.Choice("compare")),
		Limit: in.Int("limit", defaultProducts),
	}
}

func settlementReport(s *reports.Service) Operation {
	return Operation{
		Name: "reports.settlement", GraphQL: "reportSettlement", Summary: "Show what providers owe, by day",
		Doc: "What each payment provider captured and gave back on each day of the shop's time zone, as the ledger has it, and beside it what the provider says that it settles, and its fees. " +
			"These count on the day of their movement, whenever the provider tells, and are null, with the reason, until it told of every movement of the row.",
		Path: "/reports/settlement", Input: settlementInput, Output: settlementFields,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := reports.Query{From: in.Text("from"), To: in.Text("to"), Provider: in.Text("provider")}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			out, err := s.Settlement(ctx, call.Principal, q)
			return respond(settlementFields, settlementRecord(out), err)
		},
	}
}

// csvDoc is what the files of reports have in common.
const csvDoc = "UTF-8 with a byte order mark; cells that look like formulas are prefixed with an apostrophe. There is no GraphQL field, because GraphQL cannot return files."

func summaryFile(s *reports.Service) Operation {
	return Operation{
		Name: "reports.summaryFile", Summary: "Download what was sold and paid",
		Doc:  "The groups of the report as CSV, or its totals without by: a row per group and currency. " + csvDoc,
		Path: "/reports/summary.csv", Input: append(slices.Clip(periodInput), byInput, limitInput), Produces: []string{ports.CSV.MediaType()},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := reports.Query{
				From: in.Text("from"), To: in.Text("to"), Grouping: report.Grouping(in.Choice("by")), Limit: in.Int("limit", maxProducts),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			in.Download.ContentType, in.Download.Filename = ports.CSV.MediaType(), "summary.csv"
			return idempotency.Response{Result: ports.ReceiptOK}, s.WriteSummary(ctx, call.Principal, q, in.Download)
		},
	}
}

func settlementFile(s *reports.Service) Operation {
	return Operation{
		Name: "reports.settlementFile", Summary: "Download what providers owe, by day",
		Doc:  "The days of the report as CSV: a row per day, provider and currency. " + csvDoc,
		Path: "/reports/settlement.csv", Input: settlementInput, Produces: []string{ports.CSV.MediaType()},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := reports.Query{From: in.Text("from"), To: in.Text("to"), Provider: in.Text("provider")}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			in.Download.ContentType, in.Download.Filename = ports.CSV.MediaType(), "settlement.csv"
			return idempotency.Response{Result: ports.ReceiptOK}, s.WriteSettlement(ctx, call.Principal, q, in.Download)
		},
	}
}

func summaryRecord(s reports.Summary) collection.Record {
	out := collection.Record{
		"from": s.From.String(), "to": s.To.String(), "timeZone": s.TimeZone, "totals": sumRecords(s.Totals, report.ByNothing),
	}
	if s.Groups != nil {
		out["groups"] = sumRecords(s.Groups, s.Grouping)
	}
	if c := s.Compared; c != nil {
		out["comparedWith"] = collection.Record{
			"from": c.From.String(), "to": c.To.String(), "totals": sumRecords(c.Totals, report.ByNothing),
		}
	}
	return out
}

// sumRecords are rows that g tells apart.
func sumRecords(rows []report.Row, g report.Grouping) []collection.Record {
	all := make([]collection.Record, len(rows))
	for i, r := range rows {
		of := func(minor int64) money.Money { return money.Of(minor, r.Currency) }
		all[i] = collection.Record{
			"currency": string(r.Currency), "orders": r.Orders, "ordersCanceled": r.OrdersCanceled, "ordered": of(r.Ordered),
			"units": r.Units, "unitsCanceled": r.UnitsCanceled, "payments": r.Payments, "revenue": of(r.Revenue), "refunds": of(r.Refunds),
			"net": of(r.Net()),
		}
		if average, ok := r.Average(); ok {
			all[i]["average"] = of(average)
		}
		for name, v := range map[string]string{"market": r.Market, "provider": r.Provider, "product": r.Product} {
			if v != "" {
				all[i][name] = v
			}
		}
		if g == report.ByDay || g == report.ByWeek || g == report.ByMonth {
			all[i]["starts"] = r.Starts.String()
		}
	}
	return all
}

func settlementRecord(s reports.Settlement) collection.Record {
	rows := func(list []report.Row, perDay bool) []collection.Record {
		all := make([]collection.Record, len(list))
		for i, r := range list {
			of := func(minor int64) money.Money { return money.Of(minor, r.Currency) }
			all[i] = collection.Record{
				"provider": r.Provider, "currency": string(r.Currency), "payments": r.Payments, "captured": of(r.Revenue),
				"refunded": of(r.Refunds), "net": of(r.Net()),
			}
			if perDay {
				all[i]["day"] = r.Starts.String()
			}
			if reason := reports.NotReported(r); reason != "" {
				all[i]["notReported"] = reason
				continue
			}
			all[i]["reported"], all[i]["fees"], all[i]["difference"] = of(r.Settled), of(r.Fees), of(r.Settled+r.Fees-r.Net())
		}
		return all
	}
	return collection.Record{
		"from": s.From.String(), "to": s.To.String(), "timeZone": s.TimeZone, "totals": rows(s.Totals, false), "days": rows(s.Groups, true),
	}
}
