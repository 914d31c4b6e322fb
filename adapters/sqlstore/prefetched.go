package sqlstore

import (
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// prefetchedData is what a transaction has prefetched, valid until the transaction itself changes it.
type prefetchedData struct {
	plan         *ports.Prefetch
	shared       bool                            // the transaction is not its own: it can neither read nor write before the commit
	records      map[recordKey]collection.Record // nil: there is none
	locked       map[recordKey]bool
	lockedBy     map[ports.RefBy][]collection.Record
	uses         map[string]currentUse // of a plan with codes
	stockLoaded  bool                  // the rows of stock are locked, the reservations are known
	reservations []reservation
	stock        map[stockKey]stockRow                  // that is locked, as the transaction leaves it
	moves        map[stockKey]stockMove                 // of stock, that wait for the commit
	calls        map[ports.CallRef][]ports.ProviderCall // earlier attempts, in order
	receipt      *storedReceipt                         // nil: there is none

	catalogVersion *int64                       // nil: not read
	available      map[string]*ports.StockLevel // of variants, without a lock; nil in it: there is no row
	created        map[string]bool              // ids of the records that the transaction has created
}

func newPrefetched(plan *ports.Prefetch) *prefetchedData {
	return &prefetchedData{
		plan: plan, records: map[recordKey]collection.Record{}, locked: map[recordKey]bool{},
		lockedBy: map[ports.RefBy][]collection.Record{}, stock: map[stockKey]stockRow{}, moves: map[stockKey]stockMove{},
		calls: map[ports.CallRef][]ports.ProviderCall{}, created: map[string]bool{},
	}
}

type recordKey struct{ collection, id string }

// storedReceipt is a row of receipts: finished, or the claim of an attempt.
type storedReceipt struct {
	ports.Receipt

	done bool
}

// queuedStmt is a statement that waits for the next round trip.
type queuedStmt struct {
	db.Stmt

	errIfNoRows error                 // what it means that the statement affects no row; nil: nothing
	translate   func(err error) error // makes a fault of the database's error; nil: the error itself
}

// invalidate has changed records read anew.
func (f *prefetchedData) invalidate(changes []collection.Change) {
	for _, c := range changes {
		delete(f.records, recordKey{c.Schema.Slug, c.ID()})
		maps.DeleteFunc(f.lockedBy, func(by ports.RefBy, _ []collection.Record) bool { return by.Schema == c.Schema })
	}
}

// lacksLocks reports whether some record that was to be locked is not: there is none, or somebody else holds it.
func (f *prefetchedData) lacksLocks() bool {
	for _, r := range slices.Concat(f.plan.Lock, f.plan.LockShared) {
		if f.records[recordKey{r.Schema.Slug, r.ID}] == nil {
			return true
		}
	}
	return false
}

// currentUse is a use of a discount that a holder has.
type currentUse struct {
	env, customer string
	placed        bool
}
