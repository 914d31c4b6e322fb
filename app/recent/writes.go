package recent

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// WrapStore is a store whose committed writes m remembers.
func (m *Memory) WrapStore(store ports.Store) ports.Store { return rememberingStore{store, m} }

// WrapCommitter is a committer whose committed writes m remembers.
func (m *Memory) WrapCommitter(c ports.Committer) ports.Committer { return rememberingCommitter{c, m} }

type rememberingStore struct {
	ports.Store

	memory *Memory
}

// Atomically implements ports.Store.
func (w rememberingStore) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	var written []collection.Change
	err := w.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		written = nil // of an attempt that lost
		tx.Records = rememberingRecords{tx.Records, w.memory, &written}
		return fn(ctx, tx)
	})
	w.memory.note(written, err)
	return err
}

func (m *Memory) note(written []collection.Change, err error) {
	if err != nil {
		m.forget(written)
		return
	}
	m.remember(written)
}

type rememberingRecords struct {
	ports.Records

	memory  *Memory
	written *[]collection.Change
}

// Write implements ports.Records.
func (w rememberingRecords) Write(ctx context.Context, changes ...collection.Change) error {
	*w.written = append(*w.written, w.memory.concerned(changes)...)
	return w.Records.Write(ctx, changes...)
}

type rememberingCommitter struct {
	ports.Committer

	memory *Memory
}

// Commit implements ports.Committer.
func (w rememberingCommitter) Commit(ctx context.Context, step ports.CommitRequest) error {
	written := append(w.memory.concerned(step.Changes), w.memory.concerned(step.Creates)...)
	err := w.Committer.Commit(ctx, step)
	w.memory.note(written, err)
	return err
}
