package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/exports"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	exportParam  = collection.Field{Name: "id", Alias: "exportId", Kind: collection.Relation, RelationTo: transfer.Exports.Slug, Doc: "The export."}
	exportMember = collection.Field{
		Name: "export", Kind: collection.Relation, RelationTo: transfer.Exports.Slug, Required: true, Doc: "The export as it is now.",
	}
)

// Exports are the operations on exports. Rules: features/transfers/RULES.md.
func Exports(s *exports.Service) []Operation {
	list := []Operation{startExport(s), cancelExport(s), exportFile(s)}
	for i := range list {
		list[i].Surfaces, list[i].AllowedKinds = Root, operators
	}
	return list
}

func startExport(s *exports.Service) Operation {
	return Operation{
		Name: "exports.start", GraphQL: "exportStart", Summary: "Start an export",
		Doc: "The file is made in the background, with the rights that you have then: read the export, or its events, until its status is done, and get the file from its url. " +
			"Orders have one row per line, products one per variant. A cell with a list has bars between the items, amounts have the decimals of their currency, times are in UTC. " +
			"It takes the permission to read exports and all collections that the table shows, and of secret keys to write. " +
			"The export and its file are removed seven days after its end.",
		Mutates: true, Method: "POST", Path: "/exports", KeyPolicy: KeyOptional,
		Input: []collection.Field{
			{Name: "kind", Kind: collection.Select, Options: transfer.KindNames(), Required: true, Doc: "What its rows are about."},
			{Name: "format", Kind: collection.Select, Options: transfer.Formats, Required: true, Doc: "Format of the file."},
			{
				Name: "where", Kind: collection.JSON,
				Doc: "Which records it has, as in the lists of their collection: products, customers, orders, product-variants of stock, discounts; all when missing.",
			},
			{
				Name: "q", Kind: collection.Text, MaxLength: transfer.MaxText,
				Doc: "Only records that are found by this text. A text that finds very many is refused when the export runs.",
			},
			{
				Name: "sort", Kind: collection.Text, MaxLength: transfer.MaxText,
				Doc: "The order of the records, as lists of their collection take it: by fields of the records themselves that are indexed, and not with q. " +
					"In the order in which they were made when missing. An export of more than 100,000 records in an order fails.",
			},
			{Name: "columns", Kind: collection.Texts, Doc: "Names of columns, in their order; all when missing."},
			{
				Name: "locale", Kind: collection.Select, Options: []string{string(transfer.English), string(transfer.Korean)},
				Doc: "Language of the headers; English when missing.",
			},
		},
		Output: []collection.Field{exportMember}, Results: []ports.ReceiptResult{ports.ReceiptCreated},
		Reasons: []*fault.Error{job.ErrTooMany, collection.ErrQuery, search.ErrQuery},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := transfer.Request{
				Kind: transfer.Kind(in.Choice("kind")), Format: in.Choice("format"), Where: in.Filter("where"), Query: in.Text("q"),
				Sort: in.Text("sort"), Columns: in.Texts("columns"), Locale: transfer.English,
			}
			if locale := in.Choice("locale"); locale != "" {
				q.Locale = transfer.Locale(locale)
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Start(ctx, call, q)
		},
	}
}

func cancelExport(s *exports.Service) Operation {
	return Operation{
		Name: "exports.cancel", GraphQL: "exportCancel", Summary: "Cancel an export",
		Doc:     "One that waits ends at once, one that is running before its next records. To cancel it again changes nothing.",
		Mutates: true, Method: "POST", Path: "/exports/{id}/cancel", KeyPolicy: KeyOptional, BeyondQuota: true,
		Params: []collection.Field{exportParam}, Output: []collection.Field{exportMember},
		Reasons: []*fault.Error{job.ErrEnded},
		Run:     byID(s.Cancel),
	}
}

func exportFile(s *exports.Service) Operation {
	return Operation{
		Name: "exports.file", Summary: "Get the file of an export",
		Doc: "CSV is UTF-8 with a byte order mark; cells that look like formulas are prefixed with an apostrophe. " +
			"There is no GraphQL field, because GraphQL cannot return files.",
		Method: get, Path: "/exports/{id}/file", Slow: true, Produces: []string{ports.CSV.MediaType(), ports.XLSX.MediaType()},
		Params:  []collection.Field{exportParam},
		Reasons: []*fault.Error{transfer.ErrNotDone, transfer.ErrNoFile},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			f, err := s.Download(ctx, call.Principal, in.Param("id"), in.Download)
			if err == nil {
				in.Download.ContentType, in.Download.Filename = ports.SpreadsheetFormat(f.Format).MediaType(), f.Name
			}
			return idempotency.Response{Result: ports.ReceiptOK}, err
		},
	}
}
