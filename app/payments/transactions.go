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
