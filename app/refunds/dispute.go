package refunds

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// disputesOf lists the recorded disputes of a payment session, and nothing when its provider lists none either.
func disputesOf(ctx context.Context, r ports.Reader, session string, seen []payment.SeenDispute) (all []payment.Dispute, err error) {
	if len(seen) == 0 {
		return nil, nil
	}
	s := payment.Disputes
	rows, err := ports.FindAll(ctx, r, collection.Query{Schema: s, Where: s.Where("paymentSession", collection.Equals, session)})
	for _, row := range rows {
		all = append(all, payment.DisputeFrom(row))
	}
	return all, err
}

// recordDisputes adds to w the disputes of p that its provider lists and that are not recorded so. open says that one is
// not decided, opened that one is new, changed that w has any.
func (s *refunder) recordDisputes(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable, p payment.RefundablePayment, of payment.Session,
	seen []payment.SeenDispute,
) (open, opened, changed bool, err error) {
	known, err := disputesOf(ctx, tx.Records, of.ID, seen)
	if err != nil {
		return false, false, false, err
	}
	all := map[string]payment.Dispute{}
	for _, d := range known {
		all[d.ProviderID] = d
	}
	for _, d := range payment.CompareDisputes(known, seen) {
		var row collection.Record
		if d.ID == "" {
			d.ID, d.Session, d.Provider, d.PaymentID = s.newID(), of.ID, p.Provider, p.PaymentID
			d.Tenant, d.Environment, d.Order, d.Checkout = x.owner()
			opened = opened || d.Status.Open()
		} else if row, err = tx.Records.Lock(ctx, payment.Disputes, d.ID); err != nil {
			return false, false, false, err
		}
		w.Put(payment.Disputes, row, d.Record())
		all[d.ProviderID], changed = d, true
	}
	for _, d := range all {
		open = open || d.Status.Open()
	}
	return open, opened, changed, nil
}
