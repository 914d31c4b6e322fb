package payments

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// TransactionsOf lists the transactions whose field, "order" or "paymentSession", is id, oldest first.
func TransactionsOf(ctx context.Context, r ports.Reader, field, id string) ([]collection.Record, error) {
	s := payment.Transactions
	oldest := s.SortBy("createdAt")
	return ports.FindAll(ctx, r, collection.Query{Schema: s, Where: s.Where(field, collection.Equals, id), Sort: oldest})
}

// PutTransaction adds a transaction as it is by now to w, and what that moves of taxes to the ledger. before is its row, nil for a new
// one.
func PutTransaction(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, before, after collection.Record) error {
	w.Put(payment.Transactions, before, after)
	return AppendTaxes(ctx, tx, w, before, after)
}

// AppendTaxes appends to the ledger what the change of a transaction moves of taxes.
func AppendTaxes(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, before, after collection.Record) error {
	for _, e := range payment.TaxEntries(before, after, w.Now) {
		e.ID = w.NewID()
		if err := tx.Ledger.AppendTaxes(ctx, e); err != nil {
			return err
		}
	}
	return nil
}
