package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/ports"
)

// taxRowFields are the rows of a tax report.
var taxRowFields = []collection.Field{
	{Name: "starts", Kind: collection.Text, Doc: "First day of the day, week or month, such as 2026-01-31; null without interval."},
	{Name: "country", Kind: collection.Text, Doc: "Country of the rate, an ISO 3166-1 alpha-2 code."},
	{Name: "rate", Kind: collection.Text, Required: true, NonNull: true, Doc: "Id of the tax rate, which may be gone by now."},
	{Name: "name", Kind: collection.Text, Required: true, NonNull: true, Doc: "Its name when it was paid."},
	{Name: "percent", Kind: collection.Number, Required: true, NonNull: true, Doc: "Its percentage when it was paid."},
	currencyMember,
	amount("base", "What the taxes that were paid were due on."),
	amount("tax", "What was paid of it."),
	amount("refundedBase", "What of the base was given back."),
	amount("refundedTax", "What was given back of it."),
	amount("netTax", "Tax less refundedTax."),
	amount("lostBase", "What of the base is in money that providers took back without a refund, in proportion."),
	amount("lostTax", "The tax in that, which counts as kept."),
}

// taxReportFields are the answer of reports.taxes.
var taxReportFields = append(slices.Clip(dayFields), zoneMember, collection.Field{
	Name: "rows", Kind: collection.Array, Required: true, Fields: taxRowFields,
	Doc: "A row per country, rate and currency, and per interval where one was asked for.",
})

var taxReportInput = append(slices.Clip(periodInput), collection.Field{
	Name: "interval", Kind: collection.Select, Options: []string{string(report.ByDay), string(report.ByWeek), string(report.ByMonth)},
	Doc: "Tell days, weeks (from Monday) or months apart.",
})

func taxQuery(in *Input) reports.Query {
	return reports.Query{From: in.Text("from"), To: in.Text("to"), Grouping: report.Grouping(in.Choice("interval"))}
}

func taxReport(s *reports.Service) Operation {
	return Operation{
		Name: "reports.taxes", GraphQL: "reportTaxes", Summary: "Show what taxes were paid and given back",
		Doc: "The taxes in payments, as their orders have them, and apart from them those in refunds, on the days of the shop's time zone on which the money moved, by country and rate. " +
			"Whatever comes later changes no day before: what a refund that fails gives back to the shop comes off what was refunded on the day it failed. " +
			"Money that a provider took back without a refund, as after a lost dispute, counts as kept, and the taxes in it are told apart. " +
			"A report is about at most 50,000 payments and refunds.",
		Path: "/reports/taxes", Input: taxReportInput, Output: taxReportFields,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := taxQuery(in)
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			out, err := s.Taxes(ctx, call.Principal, q)
			return respond(taxReportFields, taxReportRecord(out), err)
		},
	}
}

func taxFile(s *reports.Service) Operation {
	return Operation{
		Name: "reports.taxesFile", Summary: "Download what taxes were paid and given back",
		Doc:  "The rows of the report as CSV. " + csvDoc,
		Path: "/reports/taxes.csv", Input: taxReportInput, Produces: []string{ports.CSV.MediaType()},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := taxQuery(in)
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			in.Download.ContentType, in.Download.Filename = ports.CSV.MediaType(), "taxes.csv"
			return idempotency.Response{Result: ports.ReceiptOK}, s.WriteTaxes(ctx, call.Principal, q, in.Download)
		},
	}
}

func taxReportRecord(t reports.Taxes) collection.Record {
	rows := make([]collection.Record, len(t.Rows))
	for i, r := range t.Rows {
		of := func(minor int64) money.Money { return money.Of(minor, r.Currency) }
		rows[i] = collection.Record{
			"country": collection.TextOrNull(r.Country), "rate": r.Rate, "name": r.Name, "percent": r.Percent, "currency": string(r.Currency),
			"base": of(r.Base), "tax": of(r.Tax), "refundedBase": of(r.RefundedBase), "refundedTax": of(r.RefundedTax),
			"netTax": of(r.Tax - r.RefundedTax), "lostBase": of(r.LostBase), "lostTax": of(r.LostTax),
		}
		if t.Grouping != report.ByNothing {
			rows[i]["starts"] = r.Starts.String()
		}
	}
	return collection.Record{"from": t.From.String(), "to": t.To.String(), "timeZone": t.TimeZone, "rows": rows}
}
