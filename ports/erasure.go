package ports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Erasure takes what is personal (collection.Field.Personal) out of what a store keeps besides records, in the transaction
// of one tenant that takes it out of the records, or after it. What it does twice is done once.
type Erasure interface {
	// RedactEvents replaces it in every event of records of s, in the record before and after each change, and returns in how
	// many events there was any.
	RedactEvents(ctx context.Context, s *collection.Schema, ids ...string) (events int, err error)
	// RedactReceipts replaces it in stored answers that are about one of records (Receipt.Record), wherever one of them is
	// shown there, and returns the keys of the answers in which there was any. Refusals stay as they are.
	RedactReceipts(ctx context.Context, records ...Ref) (keys []ReceiptKey, err error)
	// ForgetCalls erases the requests of all calls to providers of payment sessions, as ProviderCalls.Forget does.
	ForgetCalls(ctx context.Context, sessions ...string) error
	// ForgetCustomer removes the logins of a customer, and requests for email tokens with one of addresses, which are in
	// lower case. The scope has to be System besides its tenant.
	ForgetCustomer(ctx context.Context, id string, addresses ...string) error
}
