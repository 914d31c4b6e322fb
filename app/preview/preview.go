// Package preview tells what a change would do by making it, in one transaction that is taken back.
//
//   - The change is the use case itself, with another store: all its transactions are parts of the one that is taken back. So a
//     preview refuses what the change would refuse, for the same reason, and nothing is computed a second time.
//   - Whatever of a change is no part of a transaction has to be left out by its caller: calls to a provider, counters.
//   - What would be written is noted on the way to the database and told as an Outcome: money, stock, uses of discount codes, and
//     what becomes of records.
//
// A change that was made since makes another one of what was previewed: who wants just that one sends along the revision that the
// preview showed (app/revisions).
package preview

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// errTakenBack ends the transaction of a preview.
var errTakenBack = errors.New("this was a preview")

// Run makes change in one transaction of scope, which it takes back, and tells what was written. Change makes its transactions by
// within; it may be called more than once. Errors: those of change, and of ports.Store.Atomically.
func Run(
	ctx context.Context, store ports.Store, scope ports.Scope, change func(ctx context.Context, within ports.Store) error,
) (Outcome, error) {
	var seen *notes
	err := TakenBack(store)(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		seen = newNotes()
		return change(ctx, within{seen.watch(tx)})
	})
	if err != nil {
		return Outcome{}, err
	}
	return seen.outcome(), nil
}

// TakenBack is store.Atomically, but for transactions that are taken back when their work is done, for previews that tell what they
// found instead of an Outcome.
func TakenBack(store ports.Store) func(context.Context, ports.Scope, func(context.Context, ports.Tx) error) error {
	return func(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
		err := store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
			if err := fn(ctx, tx); err != nil {
				return err
			}
			return errTakenBack
		})
		if errors.Is(err, errTakenBack) {
			return nil
		}
		return err
	}
}

// Answer is the answer to a preview of a change of shown: members, which show things as they are, and the outcome.
func Answer(c idempotency.Call, shown collection.Record, of Outcome, members ...reply.Member) idempotency.Response {
	return Found(c, shown, append(members, of.Member())...)
}

// Found is the answer to a preview that tells by members what a change of shown would do.
func Found(c idempotency.Call, shown collection.Record, members ...reply.Member) idempotency.Response {
	return idempotency.Response{Result: ports.ReceiptOK, Body: c.Body(members...), RequestID: c.RequestID, Sequence: shown.Sequence()}
}

// None is the member of an answer to the change itself, in place of an outcome.
var None = reply.Member{Name: memberName, Fields: Fields}

// within is a store whose transactions are parts of one that is open.
type within struct{ tx ports.Tx }

// Atomically implements ports.Store. What fn wrote before it failed is taken back with all else.
func (w within) Atomically(ctx context.Context, _ ports.Scope, fn func(context.Context, ports.Tx) error) error {
	return fn(ctx, w.tx)
}

// Read implements ports.Store: it reads what was written within the transaction, too.
func (w within) Read(ports.Scope) ports.Reader { return w.tx.Records }
