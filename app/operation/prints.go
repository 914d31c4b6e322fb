package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/prints"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/paper"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const pdfType = "application/pdf"

var (
	printLocaleInput = collection.Field{
		Name: "locale", Kind: collection.Select, Options: paper.Languages,
		Doc: "Language of the document; defaults to that of the shop, and to English where that is neither.",
	}
	printSizeInput = collection.Field{
		Name: "size", Kind: collection.Select, Options: paper.LabelFormats,
		Doc: "Size of labels: a page of 100 × 150 mm each, the default, or eight on a page of A4.",
	}
)

// noGraphQL ends the documentation of operations that answer with a file.
const noGraphQL = " There is no GraphQL field, because GraphQL cannot return files."

// Prints are the operations that print documents. Rules prints-1 to prints-12.
func Prints(s *prints.Service) []Operation {
	list := []Operation{
		printInvoice(s), printParcels(s), printWork(s),
		printParcel(s, prints.PackingSlip, Operation{
			Name: "fulfillments.printPackingSlip", Summary: "Print the packing slip of a fulfillment", Path: "/fulfillments/{id}/packing-slip",
			Doc: "A PDF in A4 of what is in the parcel, without prices: recipient, SKU, title, options and quantity, the note of the buyer, where returns go and the beginning of the shop's policy on returns. " +
				"The order number is also a barcode.",
		}),
		printParcel(s, prints.Label, Operation{
			Name: "fulfillments.printLabel", Summary: "Print the label of a fulfillment", Path: "/fulfillments/{id}/label",
			Doc: "A PDF with recipient, sender, carrier and the tracking number as a Code 128 barcode. It is no label of a carrier that needs one of its own. " +
				"One of an order that was canceled or is on hold says so.",
			Input: []collection.Field{printLocaleInput, printSizeInput},
		}),
	}
	for i := range list {
		o := &list[i]
		o.Method, o.Surfaces, o.Slow, o.Produces, o.Doc = get, Root, true, []string{pdfType}, o.Doc+noGraphQL
		if o.AllowedKinds == nil {
			o.AllowedKinds = []tenant.Kind{tenant.User, tenant.SecretKey}
		}
	}
	return list
}

func printInvoice(s *prints.Service) Operation {
	return Operation{
		Name: "orders.printInvoice", Summary: "Print the invoice of an order", Path: "/orders/{id}/invoice",
		Doc: "A PDF in A4: seller, buyer, lines, discounts, shipping and what was canceled, paid and refunded so far. It is a statement of the order and no tax invoice (in Korean 거래명세서, no 세금계산서). " +
			"Customers print those of their own orders.",
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey, tenant.Customer},
		Params:       []collection.Field{orderParam}, Input: []collection.Field{printLocaleInput},
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, ports.ErrPrintTooLarge},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			language := paper.Language(in.Choice("locale"))
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return producePDF(in, "invoice-"+in.Param("id"), s.PrintInvoice(ctx, call.Principal, in.Param("id"), language, in.Download))
		},
	}
}

func printParcel(s *prints.Service, kind prints.Kind, o Operation) Operation {
	o.Params, o.Reasons = []collection.Field{fulfillmentParam}, []*fault.Error{tenant.ErrFeatureDisabled, ports.ErrPrintTooLarge}
	if o.Input == nil {
		o.Input = []collection.Field{printLocaleInput}
	}
	o.Run = func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
		w := prints.Parcels{Kind: kind, IDs: []string{in.Param("id")}, Language: paper.Language(in.Choice("locale"))}
		if kind == prints.Label {
			w.Size = paper.Format(in.Choice("size"))
		}
		if err := in.Done(); err != nil {
			return idempotency.Response{}, err
		}
		return producePDF(in, o.Segments()[len(o.Segments())-1]+"-"+in.Param("id"), s.PrintParcels(ctx, call.Principal, w, in.Download))
	}
	return o
}

// printWork prints the packing slip of what is yet to be packed.
func printWork(s *prints.Service) Operation {
	return Operation{
		Name: "fulfillmentOrders.printPackingSlip", Summary: "Print the packing slip of a fulfillment order",
		Path: "/fulfillment-orders/{id}/packing-slip",
		Doc: "A PDF in A4 of what is yet to be packed, as that of a fulfillment: the units that ship and are in no fulfillment, of an order that is paid. " +
			"One of an order on hold says so. Refused if there are no such units.",
		Params: []collection.Field{fulfillmentOrderParam}, Input: []collection.Field{printLocaleInput},
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, order.ErrNothingToPack, ports.ErrPrintTooLarge},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			w := prints.Parcels{
				Kind: prints.PackingSlip, FulfillmentOrders: []string{in.Param("id")}, Language: paper.Language(in.Choice("locale")),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return producePDF(in, "packing-slip-"+in.Param("id"), s.PrintParcels(ctx, call.Principal, w, in.Download))
		},
	}
}

func printParcels(s *prints.Service) Operation {
	return Operation{
		Name: "fulfillments.print", Summary: "Print documents of many fulfillments or fulfillment orders", Path: "/fulfillments/prints",
		Doc: "One PDF with the packing slips or labels of up to 100 fulfillments, in the order in which they are named. If one of them is not there, nothing is printed. " +
			"Or those of what is yet to be packed: of up to 100 fulfillment orders, each of which must have units to pack, or of those of a whole carrier batch that have, in the order of its file. " +
			"Labels of these have the order number as barcode, as there is no tracking number yet.",
		Input: []collection.Field{
			{Name: "ids", Kind: collection.Text, Doc: "Ids of the fulfillments, with commas between them; 1 to 100, each once."},
			{
				Name: "fulfillmentOrders", Kind: collection.Text,
				Doc: "Instead of ids: ids of fulfillment orders, with commas between them; 1 to 100, each once.",
			},
			{Name: "carrierBatch", Kind: collection.Text, Doc: "Instead of ids: id of a carrier batch."},
			{
				Name: "document", Kind: collection.Select, Options: []string{string(prints.PackingSlip), string(prints.Label)},
				Required: true, Doc: "What to print.",
			},
			printLocaleInput, printSizeInput,
		},
		Reasons: []*fault.Error{
			tenant.ErrFeatureDisabled, ports.ErrNotFound, order.ErrNothingToPack, ports.ErrPrintTooLarge, collection.ErrAnswerTooLarge,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			w := prints.Parcels{
				Kind: prints.Kind(in.Choice("document")), Language: paper.Language(in.Choice("locale")), Size: paper.Format(in.Choice("size")),
				IDs: listedIDs(in.Text("ids")), FulfillmentOrders: listedIDs(in.Text("fulfillmentOrders")), CarrierBatch: in.Text("carrierBatch"),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return producePDF(in, string(w.Kind)+"s", s.PrintParcels(ctx, call.Principal, w, in.Download))
		},
	}
}

// listedIDs are the ids of a text, with commas or spaces between them.
func listedIDs(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// producePDF is the answer of an operation that wrote a PDF, or failed to.
func producePDF(in *Input, name string, err error) (idempotency.Response, error) {
	in.Download.ContentType, in.Download.Filename = pdfType, name+".pdf"
	return idempotency.Response{Result: ports.ReceiptOK}, err
}
