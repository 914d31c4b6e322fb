package rest

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CarrierFiles registers the file that carriers are sent, and the one that comes back. Contract 9. They stand among the
// fulfillments, so Collections follows it.
//
// A file is made as a whole before its first byte is sent, on disk: one that breaks off would pass for a short one. Both may
// take as long as uploads do.
type CarrierFiles struct {
	Files *fulfilling.CarrierFiles
	Dir   string // where a file waits to be sent; "" is the system's place
}

const carrierFilePath = "/fulfillments/carrier-file"

// Mount implements Area.
func (a CarrierFiles) Mount(r fiber.Router) {
	r.Get(carrierFilePath, a.export)
	r.Post(carrierFilePath, a.receive)
}

// sheetTypes are the media types of files.
var sheetTypes = map[ports.SheetFormat]string{
	ports.CSV:  "text/csv; charset=utf-8",
	ports.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// export answers with a file.
func (a CarrierFiles) export(c *fiber.Ctx) error {
	call, err := caller(c)
	if err != nil {
		return err
	}
	x, err := exportAsked(c)
	if err != nil {
		return err
	}
	in := bodyOf(c)
	in.timeout = uploadTotal
	in.restart()
	f, err := os.CreateTemp(a.Dir, "cartwright-export-")
	if err != nil {
		return err
	}
	_ = os.Remove(f.Name()) // it is there as long as it is open, and no longer than the process
	size, err := a.write(c, call.Principal, x, f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	c.Set(fiber.HeaderContentType, sheetTypes[x.Format])
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+x.Filename(a.Files.Now())+`"`)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	if c.Method() == fiber.MethodHead {
		c.Response().Header.SetContentLength(int(size))
		return f.Close()
	}
	c.Response().SetBodyStream(&outbound{ReadCloser: f, conn: c.Context().Conn()}, int(size))
	return nil
}

// exportAsked reads the address. Errors: fault.ErrValidation.
func exportAsked(c *fiber.Ctx) (x fulfilling.CarrierExport, err error) {
	names := []string{"carrier", "from", "to", "format"}
	params, err := queryOf(c, names)
	if err != nil {
		return x, err
	}
	words := make([]string, len(names))
	for i, name := range names {
		if n, ok := params[name].(collection.Numeral); ok {
			words[i] = string(n)
			continue
		}
		if words[i], err = wordsParam(params, name); err != nil {
			return x, err
		}
	}
	return fulfilling.NewCarrierExport(words[0], words[1], words[2], words[3])
}

// write makes the file, and leaves it at its start.
func (a CarrierFiles) write(c *fiber.Ctx, p tenant.Principal, x fulfilling.CarrierExport, f *os.File) (size int64, err error) {
	to := bufio.NewWriter(f)
	if err := a.Files.Export(c.UserContext(), p, x, to, nil); err != nil {
		return 0, err
	}
	if err := to.Flush(); err != nil {
		return 0, err
	}
	if size, err = f.Seek(0, io.SeekCurrent); err != nil {
		return 0, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return size, err
}

// receive takes a file in and answers what became of its rows.
func (a CarrierFiles) receive(c *fiber.Ctx) error {
	call, err := caller(c)
	if err != nil {
		return err
	}
	if err := a.Files.MayImport(call.Principal); err != nil {
		return err // nobody else's time is ours to give
	}
	in := bodyOf(c)
	in.atLeisure(uploadLimit)
	in.timeout = uploadTotal
	in.restart()
	if in.length > uploadLimit {
		return ports.ErrSheetSize
	}
	f, err := read.NewForm(c.Get(fiber.HeaderContentType), in)
	if err != nil {
		return err
	}
	sheet, err := a.sheetOf(f)
	if err != nil {
		return err
	}
	in.restart()
	answer, err := a.Files.Import(c.UserContext(), call, sheet)
	if err := errors.Join(err, sheet.Close()); err != nil {
		return err
	}
	return reply(c, answer)
}

// sheetOf is the one file of a form. Errors: read.ErrForm, media.ErrNoFile, fault.ErrValidation, those of Sheets.
func (a CarrierFiles) sheetOf(f *read.Form) (sheet ports.SheetReader, err error) {
	defer func() {
		if err != nil && sheet != nil {
			err = errors.Join(err, sheet.Close())
			sheet = nil
		}
	}()
	for {
		p, err := f.Next()
		switch {
		case err != nil:
			return sheet, err
		case p == nil && sheet == nil:
			return nil, media.ErrNoFile
		case p == nil:
			return sheet, nil
		case p.Name != fileField:
			return sheet, fault.Invalidf(p.Name, "This field does not exist.")
		case !p.File:
			return sheet, media.ErrNoFile.Saying("The file goes into the field file, as a file.")
		case sheet != nil:
			return sheet, read.ErrForm.Saying("The form has two files.")
		}
		if sheet, err = a.Files.Open(p); err != nil {
			return nil, err
		}
	}
}

// Describe implements Describer.
func (CarrierFiles) Describe() []openapi.Route {
	date := func(name, doc string) collection.Field {
		return collection.Field{Name: name, Kind: collection.Text, Doc: doc}
	}
	file := func(method, name, summary, doc string) operation.Operation {
		return operation.Operation{
			Name: name, Summary: summary, Doc: doc, Method: method, Path: "/api" + carrierFilePath, Who: []tenant.Kind{tenant.User, tenant.SecretKey},
		}
	}
	export := file("GET", "fulfillments.exportCarrierFile", "Get what is to be shipped as a file for carriers",
		"A row for every fulfillment order with open units whose order is paid or in preparation; lines that do not ship are left out. The column trackingNumber is empty: fill it in and send the file back. CSV is UTF-8 with a byte order mark; cells that begin like a formula stand behind an apostrophe. It has no GraphQL field: files are for REST.")
	export.Input = []collection.Field{
		{Name: "carrier", Kind: collection.Text, Doc: "Who is to bring it, by code or name: it is written into every row."},
		date("from", "Of orders placed on this UTC date or later: 2026-01-31."), date("to", "Of orders placed on this UTC date or before."),
		{Name: "format", Kind: collection.Select, Options: []string{string(ports.CSV), string(ports.XLSX)}, Doc: "Of the file; csv without it."},
	}
	export.Reasons = []*fault.Error{ports.ErrSheetSize, tenant.ErrFeatureDisabled}
	receive := file("POST", "fulfillments.importCarrierFile", "Take tracking numbers in from a file",
		"The form has the file in the field file: CSV in UTF-8 or CP949, or XLSX, with a header of the columns trackingNumber, carrier and fulfillmentOrder or orderNumber, in any order, under English or Korean names. A row with a tracking number ships what is open of its fulfillment order; what is known already is unchanged, so the same file may be sent again. A file that is damaged or too long anywhere is refused before its first row is applied; one that breaks off later says with the fault how many rows were applied, unchanged and refused. Formulas are refused.")
	receive.Changes, receive.Key = true, operation.KeyOptional
	receive.Input = []collection.Field{{Name: fileField, Kind: collection.Text, Required: true, Doc: "The file, at most 25 MiB and 100,000 rows; a row has at most 256 cells and 256 KiB."}}
	receive.Output = fulfilling.CarrierReportFields
	receive.Reasons = append([]*fault.Error{media.ErrNoFile, read.ErrForm, tenant.ErrFeatureDisabled}, fulfilling.ImportReasons...)
	return []openapi.Route{
		{Tag: order.Fulfillments.Plural, Operation: export, Gives: []string{"text/csv", sheetTypes[ports.XLSX]}},
		{Tag: order.Fulfillments.Plural, Operation: receive, Takes: []string{fiber.MIMEMultipartForm}},
	}
}
