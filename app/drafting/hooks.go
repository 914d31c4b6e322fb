package drafting

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hooks are what writing a draft does besides what its schema says: one that is over stays as it is, whatever the edit.
func Hooks() content.Hooks {
	return content.Hooks{Shape: shape, Enter: enter, Within: within, Apart: true, Reasons: []*fault.Error{draft.ErrNotEditable}}
}

// shape refuses prices, and has the draft say its currency before amounts are read.
func shape(_ context.Context, w *content.Write) error {
	if err := draft.Unpriced(w.Input); err != nil || !w.Create {
		return err
	}
	if _, given := w.Input["currency"]; !given {
		w.Input["currency"] = string(draft.Currency)
	}
	if w.Input["status"] == string(draft.Open) { // which it will be
		delete(w.Input, "status")
	}
	return nil
}

// enter refuses every edit of a draft that is over, also one that would be refused for something else. It holds the row from
// here on: whoever finalizes it at the same time comes before or after.
func enter(ctx context.Context, tx ports.Tx, w *content.Write) error {
	if w.Create {
		return nil
	}
	r, err := lock(ctx, tx, w.Principal, w.ID)
	if errors.Is(err, ports.ErrAbsent) {
		return nil // as any other record that is not there
	}
	if err != nil {
		return err
	}
	return draft.Editable(r)
}

func within(_ context.Context, _ ports.Tx, w *content.Write) error { return draft.CheckEdit(w.After) }
