// Package stripe takes payments on Stripe's hosted Checkout page and refunds them. Contract 8, Reference payments 3.
//
// It speaks in stripe-go's types and forms, but sends through our own client, not through stripe-go's backend: that one
// repeats, logs and makes requests up as it goes, where ours are frozen in the journal.
package stripe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	api "github.com/stripe/stripe-go/v82"
	"github.com/stripe/stripe-go/v82/form"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// Provider is the adapter. Connections need the credential "secretKey"; a restricted key needs to write Checkout
// Sessions and Refunds, and to read PaymentIntents, Charges and the account's id. The account key is "acct_…".
type Provider struct {
	base     string
	client   *payment.Client
	now      func() time.Time
	accounts sync.Map // the account each key opens, by the key's hash
}

var _ ports.Provider = (*Provider)(nil)

// New makes the adapter of the Stripe at base; "" is the real one.
func New(base string, client *payment.Client, now func() time.Time) *Provider {
	return &Provider{base: strings.TrimSuffix(cmp.Or(base, api.APIURL), "/"), client: client, now: now}
}

const (
	sessionsPath = "/v1/checkout/sessions"
	refundsPath  = "/v1/refunds"
)

// What we write on Stripe's objects, to find ours again.
const (
	ourPayment     = "payment_id"
	ourSession     = "payment_session"
	ourRefund      = "refund_key"
	refundedBefore = "refunded_before"
)

// Build makes the request of "prepare", "close" and "refund": the path in a line of its own, then the form.
func (p *Provider) Build(_ ports.Connection, operation string, req ports.PaymentRequest, args map[string]string) ([]byte, error) {
	switch {
	case operation == "prepare" && args["kind"] == "hosted_v2":
		params, err := session(req)
		if err != nil {
			return nil, err
		}
		return frozen(sessionsPath, params), nil
	case operation == "close" && args["providerSessionId"] == "":
		return frozen("", nil), nil
	case operation == "close":
		return frozen(sessionsPath+"/"+url.PathEscape(args["providerSessionId"])+"/expire", nil), nil
	case operation == "refund":
		params, err := refund(req, args)
		if err != nil {
			return nil, err
		}
		return frozen(refundsPath, params), nil
	}
	return nil, fault.ErrInternal.Because(fmt.Errorf("stripe: operation %q of kind %q", operation, args["kind"]))
}

func frozen(path string, params any) []byte {
	values := &form.Values{}
	if params != nil {
		form.AppendTo(values, params)
	}
	return []byte(path + "\n" + values.Encode())
}

// session asks for exactly one line: the order is ours to itemize, and the amount ours to add up.
func session(req ports.PaymentRequest) (*api.CheckoutSessionParams, error) {
	units, err := charge(req.Amount)
	if err != nil {
		return nil, err
	}
	ours := map[string]string{ourPayment: req.PaymentID, ourSession: req.Session}
	back := req.FailURL
	if back == "" {
		back = req.SuccessURL
	}
	params := &api.CheckoutSessionParams{
		Mode:              api.String(string(api.CheckoutSessionModePayment)),
		ClientReferenceID: api.String(req.Session),
		SuccessURL:        api.String(req.SuccessURL),
		CancelURL:         api.String(back),
		Metadata:          ours,
		PaymentIntentData: &api.CheckoutSessionPaymentIntentDataParams{Metadata: ours},
		// A price converted for the buyer would be another amount than the one we compare with.
		AdaptivePricing: &api.CheckoutSessionAdaptivePricingParams{Enabled: api.Bool(false)},
		LineItems: []*api.CheckoutSessionLineItemParams{{
			Quantity: api.Int64(1),
			PriceData: &api.CheckoutSessionLineItemPriceDataParams{
				Currency: api.String(strings.ToLower(string(req.Amount.Currency))), UnitAmount: api.Int64(units),
				ProductData: &api.CheckoutSessionLineItemPriceDataProductDataParams{Name: api.String(req.OrderName)},
			},
		}},
	}
	if req.Email != "" {
		params.CustomerEmail = api.String(req.Email)
	}
	if !req.ExpiresAt.IsZero() {
		params.ExpiresAt = api.Int64(req.ExpiresAt.Unix())
	}
	return params, ask(params, req.Method)
}

const maxMetadata = 500

// refund carries what has to be refunded already, which Send compares: Stripe itself only bounds the total.
func refund(req ports.PaymentRequest, args map[string]string) (*api.RefundParams, error) {
	amount, err := strconv.ParseInt(args["amount"], 10, 64)
	remaining, err2 := strconv.ParseInt(args["remaining"], 10, 64)
	if err := errors.Join(err, err2); err != nil || args["providerPaymentId"] == "" || remaining > req.Amount.Minor {
		return nil, fault.ErrInternal.Because(fmt.Errorf("stripe: refund of %q: %d of %d: %w", args["providerPaymentId"], amount, remaining, err))
	}
	units, err := charge(money.Of(amount, req.Amount.Currency))
	if err != nil {
		return nil, err
	}
	var before int64
	if done := req.Amount.Minor - remaining; done > 0 {
		if before, err = charge(money.Of(done, req.Amount.Currency)); err != nil {
			return nil, err
		}
	}
	why := []rune(args["reason"])
	return &api.RefundParams{
		PaymentIntent: api.String(args["providerPaymentId"]),
		Amount:        api.Int64(units),
		Reason:        api.String(string(api.RefundReasonRequestedByCustomer)),
		Metadata: map[string]string{
			ourPayment: req.PaymentID, refundedBefore: strconv.FormatInt(before, 10), "reason": string(why[:min(len(why), maxMetadata)]),
		},
	}, nil
}

// Send performs a journaled call.
func (p *Provider) Send(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (map[string]string, error) {
	path, body, framed := strings.Cut(string(call.Request), "\n")
	if !framed {
		return nil, fault.ErrInternal.Because(errors.New("stripe: journaled request"))
	}
	switch call.Operation {
	case "prepare":
		return p.prepare(ctx, conn, post{path, call.ProviderKey, body})
	case "close":
		return p.expire(ctx, conn, path, call)
	case "refund":
		return p.refund(ctx, conn, post{path, call.ProviderKey, body})
	}
	return nil, fault.ErrInternal.Because(fmt.Errorf("stripe: operation %q", call.Operation))
}

// prepare opens a Checkout Session at the account the connection names, and at no other.
func (p *Provider) prepare(ctx context.Context, conn ports.Connection, r post) (map[string]string, error) {
	account, err := p.account(ctx, conn)
	if err != nil {
		return nil, err
	}
	if account != conn.AccountKey {
		return nil, refusal("account_mismatch", errors.New("stripe: the key belongs to another account"))
	}
	var got api.CheckoutSession
	err = p.post(ctx, conn, r, &got)
	if err := sure(err, got.Object == "checkout.session" && got.ID != ""); err != nil {
		return nil, err
	}
	switch at, err := url.Parse(got.URL); {
	case environment(got.Livemode) != conn.Environment:
		return nil, refusal(string(api.ErrorCodeLivemodeMismatch), nil)
	case err != nil, at.Host == "", at.Scheme != "https" && !strings.HasPrefix(p.base, "http://"):
		return nil, ports.ErrProviderUnavailable.Because(errors.New("stripe: a session without a page"))
	}
	return map[string]string{"providerSessionId": got.ID, "checkoutUrl": got.URL, "status": string(got.Status)}, nil
}

// expire closes a session. Closing twice does no harm, and Stripe would answer a repeated key with an old failure: every
// attempt after the first has a key of its own.
func (p *Provider) expire(ctx context.Context, conn ports.Connection, path string, call ports.ProviderCall) (map[string]string, error) {
	if path == "" {
		return nil, refusal("session_not_prepared", nil)
	}
	key := call.ProviderKey
	if call.Attempt > 1 {
		key += "-" + strconv.Itoa(call.Attempt)
	}
	var got api.CheckoutSession
	err := p.post(ctx, conn, post{path, key, ""}, &got)
	if err := sure(err, got.Object == "checkout.session"); err != nil {
		return nil, err
	}
	return map[string]string{"providerSessionId": got.ID, "status": string(got.Status)}, nil
}

// refund gives money back once, and only when as much was given back before as the caller knows of. Stripe forgets keys
// after a day and compares no balance, so the refund says on itself which call it is.
func (p *Provider) refund(ctx context.Context, conn ports.Connection, r post) (map[string]string, error) {
	asked, err := url.ParseQuery(r.body)
	if err != nil {
		return nil, fault.ErrInternal.Because(fmt.Errorf("stripe: journaled request: %w", err))
	}
	made, total, err := p.refunds(ctx, conn, asked.Get("payment_intent"), r.key)
	switch {
	case err != nil:
		return nil, err
	case made != nil:
		return refunded(made), nil
	}
	if strconv.FormatInt(total, 10) != asked.Get("metadata["+refundedBefore+"]") {
		return nil, refusal("remaining_amount_changed", nil)
	}
	r.body += "&" + url.Values{"metadata[" + ourRefund + "]": {r.key}}.Encode()
	var got api.Refund
	err = p.post(ctx, conn, r, &got)
	if err := sure(err, got.Object == "refund"); err != nil {
		return nil, err
	}
	return refunded(&got), nil
}

func refunded(r *api.Refund) map[string]string {
	return map[string]string{"providerRefundId": r.ID, "status": string(r.Status)}
}

// refunds is the refund that a call made already, or how much was refunded in all.
func (p *Provider) refunds(ctx context.Context, conn ports.Connection, intent, key string) (made *api.Refund, total int64, err error) {
	for after := ""; ; {
		query := url.Values{"payment_intent": {intent}, "limit": {"100"}}
		if after != "" {
			query.Set("starting_after", after)
		}
		var page struct {
			Object  string        `json:"object"`
			Data    []*api.Refund `json:"data"`
			HasMore bool          `json:"has_more"`
		}
		err := p.get(ctx, conn, refundsPath, query, &page)
		if err := sure(err, page.Object == "list"); err != nil {
			return nil, 0, err
		}
		for _, r := range page.Data {
			after = r.ID
			if r.Metadata[ourRefund] == key {
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

// Action is what the browser needs: the page's address.
func (p *Provider) Action(_ ports.Connection, kind string, _ ports.PaymentRequest, prepared map[string]string) (collection.Tree, error) {
	if kind != "hosted_v2" {
		return nil, fault.ErrInternal.Because(fmt.Errorf("stripe: session kind %q", kind))
	}
	return map[string]any{"checkoutUrl": prepared["checkoutUrl"]}, nil
}
