package program

import (
	"bytes"
	"context"
	"errors"
	"strings"

	cartwright "github.com/cartwright-dev/cartwright/adapters/sdk/go"
)

// checkExports makes a file of products, and ends another export.
func (s *goShop) checkExports() {
	ctx := s.Context()
	in := cartwright.ExportStartInput{Kind: cartwright.ExportKindProducts, Format: cartwright.ExportFormatCsv, Columns: []string{"title", "productPrice"}}
	started := callResult(s.Exports.Start(ctx, in)).ok(s)
	looks := 0
	done := callResult(s.Exports.Wait(ctx, started.ID, func(e cartwright.Export) { looks++ })).ok(s)
	if done.Status != cartwright.ExportStatusDone || done.Handled != done.Total || looks == 0 {
		s.Fatalf("%+v after %d looks", done, looks)
	}
	var file bytes.Buffer
	if size := callResult(s.Exports.Download(ctx, done.ID, &file)).ok(s); size != done.FileSize || size != int64(file.Len()) ||
		!strings.HasPrefix(file.String(), "\ufeffTitle,") || !strings.Contains(file.String(), "Tea,12000") {
		s.Errorf("%d of %d bytes: %s", size, done.FileSize, file.String())
	}
	errFull := errors.New("the disk is full")
	if _, err := s.Exports.Download(ctx, done.ID, brokenWriter{errFull}); !errors.Is(err, errFull) {
		s.Errorf("%v", err)
	}
	callResult(s.Exports.Download(ctx, "0190b5a0-0000-7000-8000-000000000000", &file)).refused(s, cartwright.ReasonNotFound)
	callResult(s.Exports.Cancel(ctx, done.ID)).refused(s, cartwright.ReasonJobEnded)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	callResult(s.Exports.Wait(gone, done.ID, nil)).refused(s, cartwright.ReasonAborted)
}

// brokenWriter is a file that cannot be written.
type brokenWriter struct{ err error }

// Write implements io.Writer.
func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// checkImports tries a file of orders, and brings it into the shop.
func (s *goShop) checkImports() {
	ctx := s.Context()
	file := "orderNumber,status,totalAmount,title,quantity,unitPrice\nSDK-1,paid,100,Cup,1,100\nSDK-2,paid,100,Cup,1,90\nSDK-3,paid,1,Cup,x,1\n"
	for _, dry := range []bool{true, false} {
		sent := callResult(s.Imports.Start(ctx, cartwright.ImportFile{
			File: strings.NewReader(file), Filename: "orders.csv", Kind: cartwright.ExportKindOrders, Mode: cartwright.ImportModeCreate, DryRun: dry,
		})).ok(s)
		done := callResult(s.Imports.Wait(ctx, sent.ID, nil)).ok(s)
		if done.Status != cartwright.ExportStatusDone || done.DryRun != dry || done.Applied != 1 || done.Rejected != 2 || done.FileName != "orders.csv" {
			s.Fatalf("%+v", done)
		}
		page := callResult(s.Imports.Rows(ctx, cartwright.ImportRowsInput{ImportID: sent.ID, Limit: 1})).ok(s)
		if len(page.Rows) != 1 || page.Rows[0].Row != 2 || page.Next != 2 {
			s.Errorf("%+v", page)
		}
		rows := 0
		for row, err := range s.Imports.AllRows(ctx, cartwright.ImportRowsInput{ImportID: sent.ID, Limit: 1, After: 2}) {
			if rows++; err != nil || row.Status != cartwright.ChangeStatusRejected || row.Errors[0].Message == "" {
				s.Errorf("%+v %v", row, err)
			}
		}
		var rejected bytes.Buffer
		callResult(s.Imports.Rejected(ctx, sent.ID, &rejected)).ok(s)
		if rows != 2 || strings.Count(rejected.String(), "\n") != 3 || !strings.Contains(rejected.String(), "SDK-2") {
			s.Errorf("%d rows, %s", rows, rejected.String())
		}
		callResult(s.Imports.Cancel(ctx, sent.ID)).refused(s, cartwright.ReasonJobEnded)
	}
	for _, err := range s.Imports.AllRows(ctx, cartwright.ImportRowsInput{ImportID: "0190b5a0-0000-7000-8000-000000000000"}) {
		callResult(0, err).refused(s, cartwright.ReasonNotFound)
	}
	callResult(s.Imports.Start(ctx, cartwright.ImportFile{File: strings.NewReader("colour\n"), Filename: "x.csv", Kind: cartwright.ExportKindStock})).
		refused(s, cartwright.ReasonImportColumns)
}

// checkPrints prints what there is to print of an order.
func (s *goShop) checkPrints() {
	ctx := s.Context()
	sent := callResult(s.Imports.Start(ctx, cartwright.ImportFile{
		File: strings.NewReader("orderNumber,status,totalAmount,title,quantity,unitPrice\nPRINT-1,paid,200,Cup,2,100\n"), Filename: "orders.csv",
		Kind: cartwright.ExportKindOrders,
	})).ok(s)
	callResult(s.Imports.Wait(ctx, sent.ID, nil)).ok(s)
	order := callResult(s.Collections.Orders.Find(ctx, cartwright.Query{Where: where("orderNumber", "PRINT-1")})).ok(s).Docs[0]
	work := callResult(s.Collections.FulfillmentOrders.Find(ctx, cartwright.Query{Where: where("order", order.ID)})).ok(s).Docs[0]
	isPDF := func(file []byte, err error) {
		s.Helper()
		if err != nil || !bytes.HasPrefix(file, []byte("%PDF-")) || !bytes.Contains(file[max(0, len(file)-10):], []byte("%%EOF")) {
			s.Errorf("%d bytes, %v", len(file), err)
		}
	}
	isPDF(s.Prints.Invoice(ctx, cartwright.OrdersPrintInvoiceInput{OrderID: order.ID, Locale: "ko"}))
	isPDF(s.Prints.ToBePacked(ctx, cartwright.FulfillmentOrdersPrintPackingSlipInput{FulfillmentOrderID: work.ID}))
	status, body := requestJSON(s.T, "POST", s.url+"/api/fulfillment-orders/"+work.ID+"/fulfillments", `{"carrier":"cj"}`,
		"X-API-Key: "+s.credentials.TestSecretKey)
	parcel := textAt(body, "fulfillment", "id")
	if status >= 300 || parcel == "" {
		s.Fatalf("%d %v", status, body)
	}
	isPDF(s.Prints.PackingSlip(ctx, cartwright.FulfillmentsPrintPackingSlipInput{FulfillmentID: parcel}))
	isPDF(s.Prints.Label(ctx, cartwright.FulfillmentsPrintLabelInput{FulfillmentID: parcel, Size: "a4-labels"}))
	isPDF(s.Prints.Many(ctx, cartwright.FulfillmentsPrintInput{IDs: parcel, Document: "label"}))
	callResult(s.Prints.ToBePacked(ctx, cartwright.FulfillmentOrdersPrintPackingSlipInput{FulfillmentOrderID: work.ID})).
		refused(s, cartwright.ReasonNothingToPack)
}
