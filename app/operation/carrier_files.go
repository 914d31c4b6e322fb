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
		Doc: "One row for each fulfillment order with open units whose order is paid or preparing; lines that require no shipping are left out. The column trackingNumber is empty: fill it in and import the file. " +
			"CSV is UTF-8 with a byte order mark; cells that look like formulas are prefixed with an apostrophe. There is no GraphQL field, because GraphQL cannot return files.",
		Method: get, Produces: []string{ports.CSV.MediaType(), ports.XLSX.MediaType()},
		Input: []collection.Field{
			{Name: "carrier", Kind: collection.Text, Doc: "Carrier to write into every row, by code or name."},
			{Name: "from", Kind: collection.Text, Doc: "Only orders placed on or after this UTC date, such as 2026-01-31."},
			{Name: "to", Kind: collection.Text, Doc: "Only orders placed on or before this UTC date."},
			{
				Name: "exported", Kind: collection.Select, Options: []string{notExported},
				Doc: "no leaves out the fulfillment orders that are in a batch; without it, all open ones are listed.",
			},
			{
				Name: "format", Kind: collection.Select, Options: []string{string(ports.CSV), string(ports.XLSX)},
				Doc: "Format of the file; defaults to csv.",
			},
		},
		RawInput: true, Reasons: []*fault.Error{ports.ErrSpreadsheetTooLarge, tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			x, err := fulfillments.ParseCarrierExport(in.rawText("carrier"), in.rawText("from"), in.rawText("to"), in.rawText("format"))
			if err != nil {
				return idempotency.Response{}, err
			}
			if x.Unexported, err = parseExported(in.rawText("exported")); err != nil {
				return idempotency.Response{}, err
			}
			in.Download.ContentType, in.Download.Filename = x.Format.MediaType(), x.Filename(c.Now())
			return idempotency.Response{Result: ports.ReceiptOK}, c.Export(ctx, call.Principal, x, in.Download, nil)
		},
	}
}

// notExported is the one value of the input exported.
const notExported = "no"

// parseExported reports whether only what is in no batch is asked for. Errors: fault.ErrValidation.
func parseExported(text string) (unexported bool, err error) {
	if text != "" && text != notExported {
		return false, fault.Invalidf("exported", "This field takes: %s.", notExported)
	}
	return text == notExported, nil
}

func importCarrierFile(c *fulfillments.CarrierFiles) Operation {
	return Operation{
		Name: "fulfillments.importCarrierFile", GraphQLField: &GraphQLField{Name: "carrierFileImport"},
		Summary: "Import tracking numbers from a carrier file",
		Doc: "The file is CSV (UTF-8 or CP949) or XLSX. Its header has the columns trackingNumber, carrier and fulfillmentOrder or orderNumber, in any order, with English or Korean names. " +
			"A row with a tracking number ships the open units of its fulfillment order. Rows that are already recorded change nothing, so the same file can be imported again. " +
			"With dryRun it answers what each row would do, and changes nothing. " +
			"A file that is damaged or exceeds a limit is rejected before its first row is applied; if an import fails later, the error says how many rows were applied, unchanged and rejected. Formulas are rejected.",
		Method: "POST", Mutates: true, KeyPolicy: KeyOptional, Localized: true, Output: fulfillments.CarrierReportFields,
		Input:    []collection.Field{{Name: "dryRun", Kind: collection.Boolean, Doc: "True: say of each row what it would do, and change nothing."}},
		RawInput: true,
		Upload: &Upload{
			Doc: "The file, at most 25 MiB and 100,000 rows; a row has at most 256 cells and 256 KiB.", Required: true,
			TooLarge: ports.ErrSpreadsheetTooLarge, Authorize: c.MayImport,
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
			sheet, sent := in.Received.(carrierSheet)
			if !sent {
				return idempotency.Response{}, media.ErrNoFile
			}
			apply := c.Import
			if dry, err := readDryRun(in.Raw()); err != nil {
				return idempotency.Response{}, errors.Join(err, sheet.Close())
			} else if dry {
				apply = c.Preview
			}
			answer, err := apply(ctx, call, sheet)
			return answer, errors.Join(err, sheet.Close())
		},
	}
}

// readDryRun reads the fields of the form.
func readDryRun(form map[string]any) (dry bool, err error) {
	dry, ok := formBoolean(form["dryRun"])
	if !ok {
		return false, fault.Invalidf("dryRun", "This field takes true or false.")
	}
	for name := range form {
		if name != "dryRun" {
			return false, fault.Invalidf(name, "This field does not exist.")
		}
	}
	return dry, nil
}

// carrierSheet is an uploaded spreadsheet, open until its rows are applied.
type carrierSheet struct{ ports.SpreadsheetReader }

// Fingerprint implements ReceivedFile.
func (s carrierSheet) Fingerprint() collection.JSONValue { return s.Checksum() }

// Discard implements ReceivedFile.
func (s carrierSheet) Discard() error { return s.Close() }
