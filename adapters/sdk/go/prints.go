package cartwright

import (
	"bytes"
	"context"
)

// PrintService makes documents of orders and parcels, as PDF.
type PrintService struct{ core *core }

// Invoice is the statement of an order.
func (s *PrintService) Invoice(ctx context.Context, in OrdersPrintInvoiceInput, opts ...Option) ([]byte, error) {
	return s.print(ctx, opOrdersPrintInvoice, in, opts)
}

// PackingSlip says what is in a parcel.
func (s *PrintService) PackingSlip(ctx context.Context, in FulfillmentsPrintPackingSlipInput, opts ...Option) ([]byte, error) {
	return s.print(ctx, opFulfillmentsPrintPackingSlip, in, opts)
}

// Label is that of a parcel.
func (s *PrintService) Label(ctx context.Context, in FulfillmentsPrintLabelInput, opts ...Option) ([]byte, error) {
	return s.print(ctx, opFulfillmentsPrintLabel, in, opts)
}

// ToBePacked is the packing slip of what of a fulfillment order is in no parcel yet. Errors: ReasonNothingToPack.
func (s *PrintService) ToBePacked(ctx context.Context, in FulfillmentOrdersPrintPackingSlipInput, opts ...Option) ([]byte, error) {
	return s.print(ctx, opFulfillmentOrdersPrintPackingSlip, in, opts)
}

// Many is one file with the packing slips or labels of parcels, of fulfillment orders, or of a carrier batch. Errors:
// ReasonNotFound, ReasonNothingToPack, ReasonPrintTooLarge.
func (s *PrintService) Many(ctx context.Context, in FulfillmentsPrintInput, opts ...Option) ([]byte, error) {
	return s.print(ctx, opFulfillmentsPrint, in, opts)
}

func (s *PrintService) print(ctx context.Context, o operation, in any, opts []Option) ([]byte, error) {
	var out bytes.Buffer
	if _, err := s.core.download(ctx, o, in, &out, opts); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
