package stripe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	api "github.com/stripe/stripe-go/v85"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// refundParams has the amount that must be refunded already, which Send compares: Stripe itself only checks
// the total.
func refundParams(r ports.RefundRequest) (*api.RefundParams, error) {
	if r.ProviderPaymentID == "" || r.Remaining.Minor > r.Captured.Minor {
		return nil, fault.ErrInternal.WithCause(fmt.Errorf("stripe: refund of %q: %v of %v", r.ProviderPaymentID, r.Remaining, r.Captured))
	}
	units, err := toStripeUnits(r.Amount)
	if err != nil {
		return nil, err
	}
	var before int64
	if done := r.Captured.Minus(r.Remaining); done.Minor > 0 {
		if before, err = toStripeUnits(done); err != nil {
			return nil, err
		}
	}
	params := &api.RefundParams{
		PaymentIntent: api.String(r.ProviderPaymentID),
		Amount:        new(units),
		Reason:        api.String(string(api.RefundReasonRequestedByCustomer)),
		Metadata: map[string]string{
			metaPaymentID: r.PaymentID, metaRefundedBefore: strconv.FormatInt(before, 10), "reason": r.Reason,
		},
	}
	if asksBuyer[api.PaymentMethodType(r.Method)] && r.Buyer.Email != "" {
		params.InstructionsEmail = api.String(r.Buyer.Email)
	}
	return params, nil
}

// asksBuyer are the methods that no refund can go back by: Stripe asks the buyer by e-mail for an account. Fact stripe-11.
var asksBuyer = map[api.PaymentMethodType]bool{api.PaymentMethodTypeKonbini: true, api.PaymentMethodTypePromptPay: true}

// refund refunds once, and only when as much was refunded before as the caller expects. Stripe forgets keys
// after a day and compares no balance, so the refund's metadata says which call it is.
func (p *Provider) refund(ctx context.Context, conn ports.Connection, r postRequest) (ports.Outcome, error) {
	asked, err := url.ParseQuery(r.body)
	if err != nil {
		return ports.Outcome{}, fault.ErrInternal.WithCause(fmt.Errorf("stripe: journaled request: %w", err))
	}
	made, total, err := p.findRefund(ctx, conn, asked.Get("payment_intent"),
		func(one *api.Refund) bool { return one.Metadata[metaRefundKey] == r.key })
	switch {
	case err != nil:
		return ports.Outcome{}, err
	case made != nil:
		return ports.Outcome{Status: string(made.Status)}, nil
	}
	if strconv.FormatInt(total, 10) != asked.Get("metadata["+metaRefundedBefore+"]") {
		return ports.Outcome{}, refusal("remaining_amount_changed", nil)
	}
	r.body += "&" + url.Values{"metadata[" + metaRefundKey + "]": {r.key}}.Encode()
	var got api.Refund
	err = p.post(ctx, conn, r, &got)
	if err := expect(err, got.Object == "refund"); err != nil {
		return ports.Outcome{}, err
	}
	return ports.Outcome{Status: string(got.Status)}, nil
}

// findRefund is the refund of this call, or else the total refunded so far.
func (p *Provider) findRefund(
	ctx context.Context, conn ports.Connection, intent string, is func(*api.Refund) bool,
) (made *api.Refund, total int64, err error) {
	for after := ""; ; {
		query := url.Values{"payment_intent": {intent}, "limit": {"100"}, "expand[]": {"data.balance_transaction"}}
		if after != "" {
			query.Set("starting_after", after)
		}
		var page struct {
			Object  string        `json:"object"`
			Data    []*api.Refund `json:"data"`
			HasMore bool          `json:"has_more"`
		}
		err := p.get(ctx, conn, refundsPath, query, &page)
		if err := expect(err, page.Object == "list"); err != nil {
			return nil, 0, err
		}
		for _, r := range page.Data {
			after = r.ID
			if is(r) {
				return r, total, nil
			}
			if r.Status != api.RefundStatusFailed && r.Status != api.RefundStatusCanceled {
				total += r.Amount
			}
		}
		if !page.HasMore || len(page.Data) == 0 {
			return nil, total, nil
		}
	}
}

// refundStates maps Stripe's states to ours. A refund that requires action is pending.
var refundStates = map[api.RefundStatus]ports.RefundState{
	api.RefundStatusSucceeded: ports.RefundSucceeded, api.RefundStatusPending: ports.RefundPending,
	api.RefundStatusRequiresAction: ports.RefundPending, api.RefundStatusFailed: ports.RefundFailed,
	api.RefundStatusCanceled: ports.RefundFailed,
}

// LookupRefund finds a refund of a payment intent by its id, or by the key in its metadata.
func (p *Provider) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (ports.ProviderRefund, error) {
	made, _, err := p.findRefund(ctx, conn, ref.ProviderPaymentID, func(r *api.Refund) bool {
		if ref.ProviderID != "" {
			return r.ID == ref.ProviderID
		}
		return r.Metadata[metaRefundKey] == ref.Key
	})
	if isMissing(err) || err == nil && made == nil {
		return ports.ProviderRefund{State: ports.RefundAbsent}, p.checkAccount(ctx, conn)
	}
	if err != nil {
		return ports.ProviderRefund{}, err
	}
	return toRefund(made)
}

// toRefund converts a refund. Errors: ports.ErrProviderUnavailable.
func toRefund(r *api.Refund) (ports.ProviderRefund, error) {
	state, known := refundStates[r.Status]
	if !known {
		state = ports.RefundPending
	}
	amount, readable := fromStripeUnits(r.Amount, string(r.Currency))
	if !readable {
		return ports.ProviderRefund{}, ports.ErrProviderUnavailable.WithCause(errors.New("stripe: the amount of a refund cannot be read"))
	}
	found := ports.ProviderRefund{State: state, ProviderID: r.ID, Amount: amount}
	if state == ports.RefundSucceeded {
		found.Settled = settledBy(r.BalanceTransaction)
	}
	return found, nil
}

// listRefunds is all refunds of a payment intent.
func (p *Provider) listRefunds(ctx context.Context, conn ports.Connection, intent string) (all []ports.ProviderRefund, err error) {
	var unreadable error
	_, _, err = p.findRefund(ctx, conn, intent, func(r *api.Refund) bool {
		one, err := toRefund(r)
		all, unreadable = append(all, one), cmp.Or(unreadable, err)
		return false
	})
	return all, cmp.Or(err, unreadable)
}
