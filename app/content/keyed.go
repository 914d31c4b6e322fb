package content

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

func receipt(call once.Call, answer once.Answer, w *Write) ports.Receipt {
	return call.Receipt(answer.Result, answer.Body, nil, w.Now, w.Now.Add(keepFor))
}

func orEmpty(a *once.Answer) once.Answer {
	if a == nil {
		return once.Answer{}
	}
	return *a
}

// replay answers from the receipt of call's key; nil when there is none.
func (c *Content) replay(ctx context.Context, call once.Call) (*once.Answer, error) {
	if call.Key == "" {
		return nil, nil
	}
	r, err := c.Store.Read(ports.For(call.Principal)).Receipt(ctx, call.ReceiptKey())
	if errors.Is(err, ports.ErrAbsent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	answer, err := call.Replay(r)
	return &answer, err
}

// given answers from the receipt of a key that is taken. Errors: once.ErrInProgress while there is no answer: the key is
// held by work that goes on, or was forgotten this moment.
func (c *Content) given(ctx context.Context, call once.Call) (once.Answer, error) {
	done, err := c.replay(ctx, call)
	if done == nil && err == nil {
		err = once.ErrInProgress
	}
	return orEmpty(done), err
}

// refused settles a keyed write that ended with err. Another request with this key may have been faster, and ours in its
// way: then its answer counts. Otherwise a refusal that would be given again is kept, and given again it will be.
func (c *Content) refused(ctx context.Context, call once.Call, w Write, err error) (once.Answer, error) {
	if errors.Is(err, ports.ErrReceiptExists) {
		return c.given(ctx, call)
	}
	if done, again := c.replay(ctx, call); done != nil || again != nil {
		return orEmpty(done), again
	}
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || errors.Is(f, fault.ErrValidation) || !once.Keepable(f) {
		return once.Answer{}, err
	}
	kept := call.Receipt(ports.Refused, nil, f, w.Now, w.Now.Add(keepFor))
	switch lost := c.Store.Atomically(ctx, ports.For(w.Principal), func(ctx context.Context, tx ports.Tx) error {
		return tx.Receipts.Keep(ctx, kept, 0)
	}); {
	case errors.Is(lost, ports.ErrReceiptExists):
		return c.given(ctx, call)
	case lost != nil:
		return once.Answer{}, lost
	}
	return once.Answer{}, err
}
