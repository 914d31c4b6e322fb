package records

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

func newReceipt(call idempotency.Call, answer idempotency.Response, w *Write) ports.Receipt {
	r := call.Receipt(answer.Result, answer.Body, nil, w.Now, w.Now.Add(idempotency.Retention))
	r.Record, r.Sequence = w.ID, answer.Sequence
	return r.Receipt
}

func orZero(a *idempotency.Response) idempotency.Response {
	if a == nil {
		return idempotency.Response{}
	}
	return *a
}

// replay responds from the receipt of call's key; nil if there is none.
func (c *Service) replay(ctx context.Context, call idempotency.Call) (*idempotency.Response, error) {
	if call.Key == "" {
		return nil, nil
	}
	r, err := c.Store.Read(ports.ForPrincipal(call.Principal)).Receipt(ctx, call.ReceiptKey())
	if errors.Is(err, ports.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	answer, err := call.Replay(r)
	return &answer, err
}

// replayExisting responds from the receipt of a key that is in use. Errors: idempotency.ErrInProgress while
// there is no response, because the request with this key is still running or its receipt has just expired.
func (c *Service) replayExisting(ctx context.Context, call idempotency.Call) (idempotency.Response, error) {
	stored, err := c.replay(ctx, call)
	if stored == nil && err == nil {
		err = idempotency.ErrInProgress
	}
	return orZero(stored), err
}

// keepRefusal stores the refusal err of a keyed write. If a concurrent request with this key has committed,
// its response is returned instead. Errors that are not deterministic are returned and not stored.
func (c *Service) keepRefusal(ctx context.Context, call idempotency.Call, w Write, err error) (idempotency.Response, error) {
	if errors.Is(err, ports.ErrReceiptExists) {
		return c.replayExisting(ctx, call)
	}
	if stored, again := c.replay(ctx, call); stored != nil || again != nil {
		return orZero(stored), again
	}
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || errors.Is(f, fault.ErrValidation) || !idempotency.IsStorable(f) {
		return idempotency.Response{}, err
	}
	receipt := call.Receipt(ports.ReceiptRefused, nil, f, w.Now, w.Now.Add(idempotency.Retention))
	switch saveErr := c.Store.Atomically(ctx, ports.ForPrincipal(w.Principal), func(ctx context.Context, tx ports.Tx) error {
		return tx.Receipts.Save(ctx, receipt.Receipt, 0)
	}); {
	case errors.Is(saveErr, ports.ErrReceiptExists):
		return c.replayExisting(ctx, call)
	case saveErr != nil:
		return idempotency.Response{}, saveErr
	}
	return idempotency.Response{}, err
}
