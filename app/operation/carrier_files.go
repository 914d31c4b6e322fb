package operation

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const carrierFilePath = "/fulfillments/carrier-file"

// spreadsheetTypes are the media types of spreadsheets.
var spreadsheetTypes = map[ports.SpreadsheetFormat]string{
	ports.CSV:  "text/csv",
	ports.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// CarrierFiles are the operations of spreadsheets exchanged with carriers. Rules fulfillment-9,
// fulfillment-10.
func CarrierFiles(c *fulfillments.CarrierFiles) []Operation {
	list := []Operation{exportCarrierFile(c), importCarrierFile(c)}
	for i := range list {
		list[i].Path, list[i].Surfaces, list[i].Slow = carrierFilePath, Root, true
		list[i].AllowedKinds = []tenant.Kind{tenant.User, tenant.SecretKey}
	}
	return list
}

func exportCarrierFile(c *fulfillments.CarrierFiles) Operation {
	return Operation{
		Name: "fulfillments.exportCarrierFile", Summary: "Export open fulfillment orders as a carrier file",
		Doc: "A row for every fulfillment order with open units whose order is paid or in preparation; lines that do not ship are left out. The column trackingNumber is empty: fill it in and send the file back. " +
			"CSV is UTF-8 with a byte order mark; cells that begin like a formula stand behind an apostrophe. It has no GraphQL field: files are for REST.",
		Method: get, Produces: []string{spreadsheetTypes[ports.CSV], spreadsheetTypes[ports.XLSX]}, Private: true,
		Input: []collection.Field{
			{Name: "carrier", Kind: collection.Text, Doc: "The carrier, by code or name, written into every row."},
			{Name: "from", Kind: collection.Text, Doc: "Of orders placed on this UTC date or later: 2026-01-31."},
			{Name: "to", Kind: collection.Text, Doc: "Of orders placed on this UTC date or before."},
			{Name: "format", Kind: collection.Select, Options: []string{string(ports.CSV), string(ports.XLSX)}, Doc: "Of the file; csv without it."},
		},
		RawInput: true, Reasons: []*fault.Error{ports.ErrSpreadsheetTooLarge, tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			x, err := fulfillments.ParseCarrierExport(in.rawText("carrier"), in.rawText("from"), in.rawText("to"), in.rawText("format"))
			if err != nil {
				return idempotency.Response{}, err
			}
			in.Download.ContentType, in.Download.Filename = spreadsheetTypes[x.Format], x.Filename(c.Now())
			return idempotency.Response{Result: ports.ReceiptOK}, c.Export(ctx, call.Principal, x, in.Download, nil)
		},
	}
}

func importCarrierFile(c *fulfillments.CarrierFiles) Operation {
	return Operation{
		Name: "fulfillments.importCarrierFile", GraphQLField: &GraphQLField{Name: "carrierFileImport"}, Summary: "Import tracking numbers from a carrier file",
		Doc: "The file is CSV in UTF-8 or CP949, or XLSX, with a header of the columns trackingNumber, carrier and fulfillmentOrder or orderNumber, in any order, under English or Korean names. " +
			"A row with a tracking number ships what is open of its fulfillment order; what is known already is unchanged, so the same file may be sent again. " +
			"A file that is damaged or too long anywhere is refused before its first row is applied; one that breaks off later says with the fault how many rows were applied, unchanged and refused. Formulas are refused.",
		Method: "POST", Mutates: true, KeyPolicy: KeyOptional, Output: fulfillments.CarrierReportFields,
		Upload: &Upload{
			Doc: "The file, at most 25 MiB and 100,000 rows; a row has at most 256 cells and 256 KiB.", Required: true, TooLarge: ports.ErrSpreadsheetTooLarge,
			Authorize: c.MayImport,
			Receive: func(_ context.Context, _ tenant.Principal, f File) (ReceivedFile, error) {
				sheet, err := c.Open(f)
				if err != nil {
					return nil, err
				}
				return carrierSheet{sheet}, nil
			},
		},
		Reasons: append([]*fault.Error{media.ErrNoFile, tenant.ErrFeatureDisabled}, fulfillments.ImportReasons...),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err // no file was received yet: a form is refused at its first unknown field
			}
			sheet, sent := in.Received.(carrierSheet)
			if !sent {
				return idempotency.Response{}, media.ErrNoFile
			}
			answer, err := c.Import(ctx, call, sheet)
			return answer, errors.Join(err, sheet.Close())
		},
	}
}

// carrierSheet is an uploaded spreadsheet, open until its rows are applied.
type carrierSheet struct{ ports.SpreadsheetReader }

// Fingerprint implements ReceivedFile.
func (s carrierSheet) Fingerprint() collection.JSONValue { return s.Checksum() }

// Discard implements ReceivedFile.
func (s carrierSheet) Discard() error { return s.Close() }
