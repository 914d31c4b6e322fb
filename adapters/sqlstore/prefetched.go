package sqlstore

import (
	"maps"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// prefetchedData is what a transaction has prefetched, valid until the transaction itself changes it.
type prefetchedData struct {
	plan         *ports.Prefetch
	records      map[recordKey]collection.Record // nil: there is none
	locked       map[recordKey]bool
	lockedBy     map[ports.RefBy][]collection.Record
	uses         map[string]currentUse // of a plan with codes
	stockLoaded  bool                  // the rows of stock are locked, the reservations are known
	reservations []reservation
	stock        map[string]stockRow // of the plan's variants, whose stock is locked
}

type recordKey struct{ collection, id string }

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

// reservation is what a holder has of one variant, and what it wants.
type reservation struct {
	env              string
	variant          string
	reserved, wanted int64
}

// stockRow is the row of stock of a variant in one environment.
type stockRow struct {
	product string
	onHand  int64
	tracked bool
}

// currentUse is a use of a discount that a holder has.
type currentUse struct {
	env, customer string
	placed        bool
}
