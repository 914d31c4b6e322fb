// Package stripe takes payments on Stripe's hosted Checkout page and refunds them. Rule payments-35, Facts
// stripe-1 to stripe-9.
//
// It uses stripe-go's types and form encoding, but sends through our own client rather than stripe-go's
// backend, which retries, logs and builds requests when they are sent; ours are logged before.
package stripe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	api "github.com/stripe/stripe-go/v82"
	"github.com/stripe/stripe-go/v82/form"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Provider is the adapter. Connections need the credential "secretKey"; a restricted key needs to write Checkout
// Sessions and Refunds, and to read PaymentIntents, Charges and the account's id. The account key is "acct_…".
type Provider struct {
	base     string
	client   *payment.Client
	now      func() time.Time
	accounts sync.Map // account ids by the hash of the key
}

var _ ports.Provider = (*Provider)(nil)

// New makes the adapter for Stripe at base; "" is the real one.
func New(base string, client *payment.Client, now func() time.Time) *Provider {
	return &Provider{base: strings.TrimSuffix(cmp.Or(base, api.APIURL), "/"), client: client, now: now}
}

const (
	sessionsPath = "/v1/checkout/sessions"
	expirePath   = "/expire" // below a session
	refundsPath  = "/v1/refunds"
)

// Metadata that we write on Stripe's objects, to find them again.
const (
	metaPaymentID      = "payment_id"
	metaSession        = "payment_session"
	metaRefundKey      = "refund_key"
	metaRefundedBefore = "refunded_before"
)

// BuildRequest builds the request of "prepare", "close" and "refund": the path on a line of its own, then the
// form.
func (p *Provider) BuildRequest(_ ports.Connection, operation string, req ports.PaymentRequest, args map[string]string) ([]byte, error) {
	switch {
	case operation == "prepare" && args["kind"] == "hosted_v2":
		params, err := sessionParams(req)
		if err != nil {
			return nil, err
		}
		return encodeRequest(sessionsPath, params), nil
	case operation == "close" && args["providerSessionId"] == "":
		return encodeRequest("", nil), nil
	case operation == "close":
		return encodeRequest(sessionsPath+"/"+url.PathEscape(args["providerSessionId"])+expirePath, nil), nil
	case operation == "refund":
		params, err := refundParams(req, args)
		if err != nil {
			return nil, err
		}
		return encodeRequest(refundsPath, params), nil
	}
	return nil, fault.ErrInternal.WithCause(fmt.Errorf("stripe: operation %q of kind %q", operation, args["kind"]))
}

func encodeRequest(path string, params any) []byte {
	values := &form.Values{}
	if params != nil {
		form.AppendTo(values, params)
	}
	return []byte(path + "\n" + values.Encode())
}

// sessionParams has exactly one line with the total: the order is itemized and added up by us.
func sessionParams(req ports.PaymentRequest) (*api.CheckoutSessionParams, error) {
	units, err := toStripeUnits(req.Amount)
	if err != nil {
		return nil, err
	}
	ours := map[string]string{metaPaymentID: req.PaymentID, metaSession: req.Session}
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
		// A price converted for the buyer would differ from the amount that we compare with.
		AdaptivePricing: &api.CheckoutSessionAdaptivePricingParams{Enabled: new(false)},
		LineItems: []*api.CheckoutSessionLineItemParams{{
			Quantity: api.Int64(1),
			PriceData: &api.CheckoutSessionLineItemPriceDataParams{
				Currency: api.String(strings.ToLower(string(req.Amount.Currency))), UnitAmount: new(units),
				ProductData: &api.CheckoutSessionLineItemPriceDataProductDataParams{Name: api.String(req.OrderName)},
			},
		}},
	}
	if req.Email != "" {
		params.CustomerEmail = api.String(req.Email)
	}
	if !req.ExpiresAt.IsZero() {
		params.ExpiresAt = new(req.ExpiresAt.Unix())
	}
	return params, setPaymentMethod(params, req.Method)
}

// Ready implements ports.Provider.
func (p *Provider) Ready(conn ports.Connection) error { return p.client.Ready(conn.ID) }

// Send performs a logged provider call.
func (p *Provider) Send(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (map[string]string, error) {
	path, body, framed := strings.Cut(string(call.Request), "\n")
	if !framed {
		return nil, fault.ErrInternal.WithCause(errors.New("stripe: logged request"))
	}
	switch call.Operation {
	case "prepare":
		return p.prepare(ctx, conn, postRequest{path, call.ProviderKey, body})
	case "close":
		return p.expire(ctx, conn, path, call)
	case "refund":
		return p.refund(ctx, conn, postRequest{path, call.ProviderKey, body})
	}
	return nil, fault.ErrInternal.WithCause(fmt.Errorf("stripe: operation %q", call.Operation))
}

// prepare opens a Checkout Session at the account of the connection, and at no other.
func (p *Provider) prepare(ctx context.Context, conn ports.Connection, r postRequest) (map[string]string, error) {
	account, err := p.account(ctx, conn)
	if err != nil {
		return nil, err
	}
	if account != conn.AccountKey {
		return nil, refusal("account_mismatch", errors.New("stripe: the key belongs to another account"))
	}
	var got api.CheckoutSession
	err = p.post(ctx, conn, r, &got)
	if err := expect(err, got.Object == "checkout.session" && got.ID != ""); err != nil {
		return nil, err
	}
	switch {
	case environment(got.Livemode) != conn.Environment:
		return nil, refusal(string(api.ErrorCodeLivemodeMismatch), nil)
	case !payment.IsSafePageURL(got.URL):
		return nil, ports.ErrProviderUnavailable.WithCause(errors.New("stripe: a session without a page"))
	}
	return map[string]string{"providerSessionId": got.ID, "checkoutUrl": got.URL, "status": string(got.Status)}, nil
}

// expire closes a session. Closing is idempotent, and Stripe would repeat an old failure under the same key,
// so every attempt after the first has its own key. Stripe refuses to expire a session that is over, which
// then counts as closed.
func (p *Provider) expire(ctx context.Context, conn ports.Connection, path string, call ports.ProviderCall) (map[string]string, error) {
	if path == "" {
		return nil, refusal("session_not_prepared", nil)
	}
	var got api.CheckoutSession
	err := p.post(ctx, conn, postRequest{path, payment.AttemptKey(call), ""}, &got)
	if errors.Is(err, ports.ErrProviderRejected) {
		return p.closedIfExpired(ctx, conn, strings.TrimSuffix(path, expirePath), err)
	}
	if err := expect(err, got.Object == "checkout.session"); err != nil {
		return nil, err
	}
	return map[string]string{"providerSessionId": got.ID, "status": string(got.Status)}, nil
}

// closedIfExpired accepts a session that expired without a payment; for any other, and when the look-up
// fails, it returns the reason why Stripe refused to close it.
func (p *Provider) closedIfExpired(ctx context.Context, conn ports.Connection, path string, refused error) (map[string]string, error) {
	var got api.CheckoutSession
	err := p.get(ctx, conn, path, nil, &got)
	if err != nil || got.Status != api.CheckoutSessionStatusExpired || got.PaymentStatus != api.CheckoutSessionPaymentStatusUnpaid {
		return nil, refused
	}
	return map[string]string{"providerSessionId": got.ID, "status": string(got.Status), "closed": "true"}, nil
}

// NextAction is what the browser needs: the URL of the page.
func (p *Provider) NextAction(
	_ ports.Connection, kind string, _ ports.PaymentRequest, prepared map[string]string,
) (collection.JSONValue, error) {
	if kind != "hosted_v2" {
		return nil, fault.ErrInternal.WithCause(fmt.Errorf("stripe: session kind %q", kind))
	}
	return map[string]any{"checkoutUrl": prepared["checkoutUrl"]}, nil
}
