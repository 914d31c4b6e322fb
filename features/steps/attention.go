package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

func (w *world) attentionSteps() []definition {
	return []definition{
		{`^the shop frees the payment slot by hand$`, w.freeSlot},
		{`^the shopper pays the first checkout$`, func(ctx context.Context) error {
			w.checkout = w.seen[0]
			return w.openPayment(ctx)
		}},
		{`^the shop's list of "([^"]*)" checkouts holds (\d+)$`, w.wantCheckouts},
		{`^the list suggests "([^"]*)"$`, w.wantSuggestion},
		{`^late money of (\d+) ([A-Z]{3}) for a checkout that was replaced$`, w.makeLate},
		{`^the money of the first shopper arrives$`, func(ctx context.Context) error {
			return w.try(ctx, w.arrival(w.bank, "33000", "KRW", w.asOwner()))
		}},
		{`^the shop (places the order of the late money|gives the late money back|notes that the late money was dealt with)$`, func(ctx context.Context, what string) error {
			if err := w.try(ctx, w.resolution(what, w.asOwner())); err != nil || !w.got.ok() || text(w.got.body, "order", "id") == "" {
				return err
			}
			w.checkout = w.seen[0]
			return nil
		}},
		{`^the cart was ordered with other money$`, w.orderOtherwise},
		{`^the shop gives the late money back (\d+) times at once$`, w.giveBackTogether},
		{`^a browser tries to place the order of the late money$`, func(ctx context.Context) error {
			return w.try(ctx, w.resolution("places the order of the late money", w.asBuyer()))
		}},
		{`^the books show (\d+) ([A-Z]{3}) given back$`, w.wantGivenBack},
	}
}

func (w *world) freeSlot(ctx context.Context) error {
	_, err := w.must(ctx, request{"POST", server + "/payment-sessions/" + w.payment.id + "/release", object{"note": "The shopper called."}, keyed(w.asOwner())})
	return err
}

// checkoutsWith is the shop's list of checkouts with a status.
func (w *world) checkoutsWith(ctx context.Context, status string) ([]any, error) {
	got, err := w.must(ctx, request{"GET", server + "/checkouts?where[status][equals]=" + status, nil, w.asOwner()})
	return list(got.body, "docs"), err
}

func (w *world) wantCheckouts(ctx context.Context, status string, n int) error {
	docs, err := w.checkoutsWith(ctx, status)
	if err == nil && len(docs) != n {
		err = fmt.Errorf("it holds %d: %v", len(docs), docs)
	}
	return err
}

func (w *world) wantSuggestion(ctx context.Context, want string) error {
	docs, err := w.checkoutsWith(ctx, "requires_attention")
	switch {
	case err != nil:
		return err
	case len(docs) == 0:
		return errors.New("the list is empty")
	case text(docs[0], "reason") == "" || idOf(dig(docs[0], "attentionSession")) == "":
		return fmt.Errorf("the list does not say why: %v", docs[0])
	}
	return equal("the suggestion", dig(docs[0], "suggestedAction"), want)
}

// makeLate has money arrive for a checkout whose cart was checked out anew.
func (w *world) makeLate(ctx context.Context, amount, currency string) error {
	if err := w.makeBridge(ctx, 1, "shirt"); err != nil {
		return err
	}
	if err := w.freeSlot(ctx); err != nil {
		return err
	}
	w.late = w.payment.id
	if err := w.checkOut(ctx, true); err != nil {
		return err
	}
	return w.try(ctx, w.arrival(w.bank, amount, currency, w.asOwner()))
}

func (w *world) orderOtherwise(ctx context.Context) error {
	if err := w.openPayment(ctx); err != nil {
		return err
	}
	if err := w.buyer(ctx, "approve"); err != nil {
		return err
	}
	_, err := w.must(ctx, w.confirmation())
	return err
}

func (w *world) resolution(what string, as map[string]string) request {
	action := map[string]string{
		"places the order of the late money": "place", "gives the late money back": "refund", "notes that the late money was dealt with": "dismiss",
	}[what]
	return request{"POST", server + "/payment-sessions/" + w.late + "/resolve", object{"action": action, "note": "Called the buyer."}, keyed(as)}
}

func (w *world) giveBackTogether(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, w.resolution("gives the late money back", w.asOwner()))
	}
	return w.together(ctx, all)
}

func (w *world) wantGivenBack(ctx context.Context, amount, currency string) error {
	got, err := w.must(ctx, request{"GET", "/api/transactions?where[type][equals]=refund", nil, w.asOwner()})
	if err != nil {
		return err
	}
	docs := list(got.body, "docs")
	if len(docs) != 1 {
		return fmt.Errorf("the books show %d refunds", len(docs))
	}
	if n, _ := dig(docs[0], "amount").(json.Number); n.String() != amount || text(docs[0], "currency") != currency || text(docs[0], "status") != "refunded" {
		return fmt.Errorf("the books show %v", docs[0])
	}
	return nil
}
