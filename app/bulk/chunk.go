package bulk

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/ports"
)

// chunk are a few patches for one transaction.
type chunk struct {
	run

	number  int // from 0
	patches []Patch
}

// oneByOne is what a chunk stores in place of its results before its records are changed one by one.
const oneByOne = "one by one"

func (w run) inChunks(ctx context.Context, patches []Patch) (rows []row, err error) {
	number := 0
	for part := range slices.Chunk(patches, chunkSize) {
		done, err := chunk{w, number, part}.do(ctx)
		if err != nil {
			return nil, err
		}
		rows = append(rows, done...)
		number++
	}
	return rows, nil
}

// do changes the records of the chunk, unless an earlier request with the same key has.
func (k chunk) do(ctx context.Context) ([]row, error) {
	known, err := k.stored(ctx, k.name())
	if err != nil {
		return nil, err
	}
	if known == "" {
		rows, err := k.together(ctx)
		if err == nil || !isRowError(err) {
			return rows, err
		}
		err = k.Store.Atomically(ctx, ports.ForPrincipal(k.call.Principal), func(ctx context.Context, tx ports.Tx) error {
			return k.save(ctx, tx, k.name(), []byte(oneByOne))
		})
		if err != nil {
			return nil, err
		}
		known = oneByOne
	}
	if known != oneByOne {
		return decodeRows(known), nil
	}
	rows := make([]row, len(k.patches))
	for i, p := range k.patches {
		if rows[i], err = k.alone(ctx, p); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (k chunk) name() string { return strconv.Itoa(k.number) }

// together changes all records in one transaction. Errors: what the database refuses one of them for.
func (k chunk) together(ctx context.Context) (rows []row, err error) {
	updates, prepared, err := k.prepare(ctx, k.patches)
	if err != nil {
		return nil, err
	}
	err = k.Store.Atomically(ctx, k.Records.Scope(k.call.Principal, k.schema), func(ctx context.Context, tx ports.Tx) error {
		rows = slices.Clone(prepared)
		for _, i := range lockOrder(k.patches, updates) {
			revision, changed, err := updates[i].Store(ctx, tx)
			switch {
			case err == nil:
				rows[i] = written(k.patches[i].ID, revision, changed)
			case updates[i].Wrote() || !isRowError(err):
				return err
			default:
				rows[i] = k.refused(k.patches[i].ID, err)
			}
		}
		return k.save(ctx, tx, k.name(), encodeRows(rows))
	})
	if err == nil {
		committed(updates)
	}
	return rows, err
}

// prepare prepares the updates before their transaction; that of a patch which is refused already is nil.
func (w run) prepare(ctx context.Context, patches []Patch) (updates []*records.PendingUpdate, rows []row, err error) {
	updates, rows = make([]*records.PendingUpdate, len(patches)), make([]row, len(patches))
	for i, p := range patches {
		u, err := w.update(ctx, p)
		switch {
		case err == nil:
			updates[i] = u
		case isRowError(err):
			rows[i] = w.refused(p.ID, err)
		default:
			return nil, nil, err
		}
	}
	return updates, rows, nil
}

func (w run) update(ctx context.Context, p Patch) (*records.PendingUpdate, error) {
	call := w.call
	call.ExpectedRevision = p.ExpectedRevision
	return w.Records.NewUpdate(ctx, call, w.schema, p.ID, p.Data)
}

// lockOrder are the indexes of the updates by the id of their record: requests that lock in one order do not wait for
// each other in a circle.
func lockOrder(patches []Patch, updates []*records.PendingUpdate) (order []int) {
	for i, u := range updates {
		if u != nil {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(patches[a].ID, patches[b].ID) })
	return order
}

func committed(updates []*records.PendingUpdate) {
	for _, u := range updates {
		if u != nil {
			u.Committed()
		}
	}
}

// alone changes one record in its own transaction, unless an earlier request with the same key has.
func (k chunk) alone(ctx context.Context, p Patch) (row, error) {
	name := k.name() + "/" + p.ID
	if known, err := k.stored(ctx, name); err != nil || known != "" {
		return decodeRow(known), err
	}
	u, err := k.update(ctx, p)
	for again := err == nil; again; again = u.Again(err) {
		var done row
		err = k.Store.Atomically(ctx, k.Records.Scope(k.call.Principal, k.schema), func(ctx context.Context, tx ports.Tx) error {
			revision, changed, err := u.Store(ctx, tx)
			if err != nil {
				return err
			}
			done = written(p.ID, revision, changed)
			return k.save(ctx, tx, name, encodeRows([]row{done}))
		})
		if err == nil {
			u.Committed()
			return done, nil
		}
	}
	if !isRowError(err) || errors.Is(err, ports.ErrReceiptExists) {
		return row{}, err
	}
	done := k.refused(p.ID, err)
	return done, k.Store.Atomically(ctx, ports.ForPrincipal(k.call.Principal), func(ctx context.Context, tx ports.Tx) error {
		return k.save(ctx, tx, name, encodeRows([]row{done}))
	})
}

func decodeRow(text string) (r row) {
	for _, r = range decodeRows(text) {
		return r
	}
	return r
}

// stored is what an earlier request with the same key stored under a name; "": nothing.
func (w run) stored(ctx context.Context, name string) (string, error) {
	if w.call.Key == "" {
		return "", nil
	}
	part := w.part(name)
	r, err := w.Store.Read(ports.ForPrincipal(w.call.Principal)).Receipt(ctx, part.ReceiptKey())
	if errors.Is(err, ports.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	answer, err := part.Replay(r)
	if err != nil {
		return "", err
	}
	return answer.Body.String(), nil
}

func (w run) save(ctx context.Context, tx ports.Tx, name string, text []byte) error {
	if w.call.Key == "" {
		return nil
	}
	now := w.Now()
	r := w.part(name).Receipt(ports.ReceiptOK, reply.FromText(text), nil, now, now.Add(idempotency.Retention))
	return tx.Receipts.Save(ctx, r.Receipt, 0)
}

// part is the call of a part of the request.
func (w run) part(name string) idempotency.Call {
	part := w.call
	part.Operation += "/" + name
	return part
}
