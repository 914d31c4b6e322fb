package ports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Erasure takes what is personal (collection.Field.Personal) out of what a store keeps besides records, in the transaction
// of one tenant that takes it out of the records, or after it. What it does twice is done once.
type Erasure interface {
	// RedactEvents replaces it in every event of records of s, in the record before and after each change, and returns in how
	// many events there was any. Of the events that found says were looked at it goes through those that found has.
	RedactEvents(ctx context.Context, s *collection.Schema, found PersonalEvents, ids ...string) (events int, err error)
	// RedactReceipts replaces it in stored answers, wherever one of records is shown there, and returns in how many there was any.
	RedactReceipts(ctx context.Context, keys []ReceiptKey, records ...Ref) (answers int, err error)
	// ForgetCalls erases the requests of all calls to providers of payment sessions, as ProviderCalls.Forget does.
	ForgetCalls(ctx context.Context, sessions ...string) error
	// ForgetCustomer removes the logins of a customer, and requests for email tokens with one of addresses, which are in
	// lower case. The scope has to be System besides its tenant.
	ForgetCustomer(ctx context.Context, id string, addresses ...string) error
}

// PersonalEvents are events in which there is something personal.
type PersonalEvents struct {
	Through int64              // number of the tenant's last event that was looked at; 0: finding them takes no time
	Of      map[string][]int64 // by record: what the store tells the events by
}

// ErasureFinder finds beforehand what an Erasure replaces: it may take long, and while a transaction looks for it on SQLite,
// everybody else waits. Suite: portstest.Erasure.
type ErasureFinder interface {
	// PersonalEvents finds the events of records of s.
	PersonalEvents(ctx context.Context, of tenant.ID, s *collection.Schema, ids ...string) (PersonalEvents, error)
	// PersonalReceipts returns the keys of stored answers that are about one of records (Receipt.Record) and show something
	// personal of any of them. Refusals are left out.
	PersonalReceipts(ctx context.Context, of tenant.ID, records ...Ref) ([]ReceiptKey, error)
}
