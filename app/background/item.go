package background

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	maxFailures   = 5           // in a row, after which an item is set aside
	minRetryDelay = time.Second // after the first failure of an item; doubles with each further one
	maxRetryDelay = time.Hour
	maxTracked    = 10_000 // items of a task whose failures are counted
	maxErrorBytes = 500    // of the stored text of an error
	storeTimeout  = 5 * time.Second
)

// Item is what a task works on. Its parts identify it and are no longer than ids are.
type Item struct {
	Tenant tenant.ID // "" for work across tenants
	ID     string    // of a record, or another name that is unique in the task and tenant; "" is the tenant itself
}

// failure is the failures of an item in a row.
type failure struct {
	count   int
	first   time.Time
	last    time.Time
	retryAt time.Time
	message string
	stored  bool // known to ports.BackgroundFailures
}

// Do handles an item by work, unless the item has failed before and is not to be tried again yet. Errors: those of
// work, and a *PanicError; nil for an item that waits.
func (t *Task) Do(ctx context.Context, item Item, work func(ctx context.Context) error) error {
	if t.Waits(item) {
		return nil
	}
	err := t.Call(func() error { return work(ctx) })
	if t == nil || t.runner == nil {
		return err
	}
	switch {
	case err == nil:
		t.Forget(ctx, item)
	case countsAsFailure(ctx, err):
		t.fail(ctx, item, err)
	}
	return err
}

// FailDamaged counts the damaged records of a page as items that failed. Errors: theirs, but for those that wait.
func (t *Task) FailDamaged(ctx context.Context, page collection.Page) error {
	errs := make([]error, len(page.Damaged))
	for i, d := range page.Damaged {
		errs[i] = t.Do(ctx, Item{Tenant: tenant.ID(d.Tenant), ID: d.ID}, func(context.Context) error { return d })
	}
	return errors.Join(errs...)
}

// countsAsFailure reports whether err says something about the item.
func countsAsFailure(ctx context.Context, err error) bool {
	if _, panicked := errors.AsType[*PanicError](err); panicked {
		return true
	}
	return ctx.Err() == nil && !errors.Is(err, context.Canceled) && fault.From(err).Kind != fault.Unavailable
}

// Waits reports whether an item has failed before and is not to be tried again yet.
func (t *Task) Waits(item Item) bool {
	if t == nil || t.runner == nil {
		return false
	}
	if t.runner.options.Now == nil {
		return false
	}
	now := t.runner.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.failing[item]
	return f != nil && now.Before(f.retryAt)
}

// IsSetAside reports whether an item has failed too often in a row.
func (t *Task) IsSetAside(item Item) bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.failing[item]
	return f != nil && f.count >= maxFailures
}

// Failing are the items that failed at last: waiting are not to be tried again yet, limit at most, for queries that leave
// them out; due are, and whoever finds them done with others has to Forget them.
func (t *Task) Failing(limit int) (waiting, due []Item) {
	if t == nil || t.runner == nil || t.runner.options.Now == nil {
		return nil, nil
	}
	now := t.runner.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	for item, f := range t.failing {
		switch {
		case !now.Before(f.retryAt):
			due = append(due, item)
		case len(waiting) < limit:
			waiting = append(waiting, item)
		}
	}
	return waiting, due
}

// Waiting are the items that are not to be tried again yet, limit at most.
func (t *Task) Waiting(limit int) []Item {
	waiting, _ := t.Failing(limit)
	return waiting
}

// Forget forgets the failures of an item: it succeeded, or is gone.
func (t *Task) Forget(ctx context.Context, item Item) {
	if t == nil || t.runner == nil {
		return
	}
	t.mu.Lock()
	f := t.failing[item]
	delete(t.failing, item)
	t.mu.Unlock()
	if f == nil || f.count < maxFailures {
		return
	}
	t.runner.log().Info("a background item is not set aside any more", "task", t.name, "tenant", string(item.Tenant), "item", item.ID)
	if store := t.runner.failures(); f.stored && store != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
		defer cancel()
		if err := store.Remove(ctx, t.name, item.Tenant, item.ID); err != nil {
			t.runner.log().Warn("a stored background failure could not be removed", "task", t.name, "error", err.Error())
		}
	}
}

// fail counts a failure of an item, and sets it aside when there were too many in a row.
func (t *Task) fail(ctx context.Context, item Item, err error) {
	t.failed.Add(1)
	f := t.count(item, err)
	if f.count < maxFailures {
		return
	}
	if f.count == maxFailures {
		t.runner.log().Error("a background item failed too often and is set aside", "task", t.name, "tenant", string(item.Tenant),
			"item", item.ID, "failures", f.count, "error", err.Error())
	}
	store := t.runner.failures()
	if store == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	saved := store.Save(ctx, ports.BackgroundFailure{
		Task: t.name, Tenant: item.Tenant, Item: item.ID, Failures: f.count, Error: f.message, FirstFailedAt: f.first, LastFailedAt: f.last,
		RetryAt: f.retryAt,
	})
	if saved != nil {
		t.runner.log().Warn("a background failure could not be stored", "task", t.name, "error", saved.Error())
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if kept := t.failing[item]; kept != nil {
		kept.stored = true
	}
}

// count counts a failure and returns a copy of the counts.
func (t *Task) count(item Item, err error) failure {
	now := t.runner.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.failing[item]
	if f == nil {
		if len(t.failing) >= maxTracked {
			for other := range t.failing { // any other one: it is counted anew
				delete(t.failing, other)
				break
			}
		}
		f = &failure{first: now}
		t.failing[item] = f
	}
	f.count++
	f.last, f.message = now, shortened(err.Error())
	f.retryAt = now.Add(min(minRetryDelay<<min(f.count-1, 20), maxRetryDelay))
	return *f
}

// shortened is text as it can be stored: bounded, and without what a database refuses.
func shortened(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	return strings.ToValidUTF8(text[:min(len(text), maxErrorBytes)], "")
}
