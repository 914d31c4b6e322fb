// Package stripe takes payments on Stripe's hosted Checkout page and refunds them. Rule payments-35, Facts
// stripe-1 to stripe-14.
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
	"regexp"
	"strings"
	"sync"
	"time"

	api "github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/form"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// The credentials of a connection.
const (
	credSecretKey        = "secretKey"
	credConnectedAccount = "connectedAccount"
)

// Provider is the adapter.
type Provider struct {
	base     string
	client   *payment.Client
	now      func() time.Time
	accounts sync.Map // account ids by the hash of the key and the connected account
}

var _ ports.Provider = (*Provider)(nil)

// New makes the adapter for Stripe at base; "" is the real one.
func New(base string, client *payment.Client, now func() time.Time) *Provider {
	return &Provider{base: strings.TrimSuffix(cmp.Or(base, api.APIURL), "/"), client: client, now: now}
}

const (
	sessionsPath = "/v1/checkout/sessions"
	intentsPath  = "/v1/payment_intents"
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

// Describe implements ports.Provider.
func (p *Provider) Describe() domain.Provider {
	hosted := []domain.Kind{domain.Hosted}
	return domain.Provider{
		Name: "stripe", Title: "Stripe", Account: `the id of the account that is paid, "acct_…"`, Kinds: hosted, SignsWebhooks: true, CapturesLater: true,
		Methods: methodNames, Limits: domain.Limits{MinPageLife: minPageLife, MaxPageLife: maxPageLife},
		Credentials: []domain.Credential{{
			Name: credSecretKey, Secret: true, For: hosted, Prefixes: []string{"sk_", "rk_"},
			Doc: "secret key, or a restricted key that writes Checkout Sessions and Refunds and reads PaymentIntents, " +
				"Charges and the account; to capture later it writes PaymentIntents too",
		}, {
			Name: credConnectedAccount, IsAccount: true, Form: accountPattern,
			Doc: `id of a connected account, "acct_…", if the key is that of the Connect platform`,
		}},
	}
}

// Stripe takes 30 minutes to 24 hours, counted when the request arrives. Fact stripe-2.
const (
	minPageLife = 31 * time.Minute
	maxPageLife = 24*time.Hour - time.Minute
)

var accountPattern = regexp.MustCompile(`^acct_[A-Za-z0-9]{1,100}$`)

// Build implements ports.Provider: the path on a line of its own, then the form.
func (p *Provider) Build(_ ports.Connection, r ports.ProviderRequest) ([]byte, error) {
	switch r := r.(type) {
	case ports.PrepareRequest:
		if r.Kind != domain.Hosted {
			return nil, payment.ErrKind(r.Kind)
		}
		params, err := sessionParams(r.PaymentRequest)
		if err != nil {
			return nil, err
		}
		return encodeRequest(sessionsPath, params), nil
	case ports.CloseRequest:
		if r.ProviderSessionID == "" {
			return encodeRequest("", nil), nil
		}
		return encodeRequest(sessionsPath+"/"+url.PathEscape(r.ProviderSessionID)+expirePath, nil), nil
	case ports.RefundRequest:
		params, err := refundParams(r)
		if err != nil {
			return nil, err
		}
		return encodeRequest(refundsPath, params), nil
	case ports.CaptureRequest:
		return captureRequest(r)
	case ports.VoidRequest:
		return voidRequest(r)
	case ports.ConfirmRequest: // the buyer's approval captures or authorizes
	}
	return nil, payment.ErrOperation(r)
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
	if req.Buyer.Email != "" {
		params.CustomerEmail = api.String(req.Buyer.Email)
	}
	if !req.ExpiresAt.IsZero() {
		params.ExpiresAt = new(req.ExpiresAt.Unix())
	}
	return params, setPaymentMethod(params, req.Method, req.CaptureLater)
}

// Ready implements ports.Provider.
func (p *Provider) Ready(conn ports.Connection) error { return p.client.Ready(conn.ID) }

// Do implements ports.Provider.
func (p *Provider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	path, body, framed := strings.Cut(string(call.Request), "\n")
	if !framed {
		return ports.Outcome{}, fault.ErrInternal.WithCause(errors.New("stripe: logged request"))
	}
	switch call.Operation {
	case ports.OpPrepare:
		return p.prepare(ctx, conn, postRequest{path, call.ProviderKey, body}, payment.AttemptKey(call))
	case ports.OpClose:
		return p.expire(ctx, conn, path, call)
	case ports.OpCapture, ports.OpVoid:
		return p.decide(ctx, conn, postRequest{path, payment.AttemptKey(call), body})
	case ports.OpRefund:
		return p.refund(ctx, conn, postRequest{path, call.ProviderKey, body})
	}
	return ports.Outcome{}, fault.ErrInternal.WithCause(fmt.Errorf("stripe: operation %q", call.Operation))
}

// prepare opens a Checkout Session at the account of the connection, and at no other. Stripe repeats a failure under its
// key for a day, so that this attempt then has a key of its own: whatever an attempt opened that was answered with a
// failure, nobody was given its page.
func (p *Provider) prepare(ctx context.Context, conn ports.Connection, r postRequest, attemptKey string) (ports.Outcome, error) {
	if err := p.checkAccount(ctx, conn); err != nil {
		return ports.Outcome{}, err
	}
	var got api.CheckoutSession
	err := p.post(ctx, conn, r, &got)
	if isReplayedFailure(err) && attemptKey != r.key {
		r.key = attemptKey
		err = p.post(ctx, conn, r, &got)
	}
	if isReplayedFailure(err) {
		// It is no refusal, so that the cause must not be one either.
		err = ports.ErrProviderUnavailable.WithData("providerCode", codeReplayedFailure).WithCause(errors.New(err.Error()))
	}
	if err := expect(err, got.Object == "checkout.session" && got.ID != ""); err != nil {
		return ports.Outcome{}, err
	}
	switch {
	case environment(got.Livemode) != conn.Environment:
		return ports.Outcome{}, refusal(string(api.ErrorCodeLivemodeMismatch), nil)
	case !payment.IsSafePageURL(got.URL):
		return ports.Outcome{}, ports.ErrProviderUnavailable.WithCause(errors.New("stripe: a session without a page"))
	}
	prepared := domain.Prepared{SessionID: got.ID, CheckoutURL: got.URL}
	if got.ExpiresAt > 0 {
		prepared.PageEnd = time.Unix(got.ExpiresAt, 0).UTC()
	}
	return ports.Outcome{Status: string(got.Status), Prepared: prepared}, nil
}

// expire closes a session. Closing is idempotent, and Stripe would repeat an old failure under the same key,
// so every attempt after the first has its own key. Stripe refuses to expire a session that is over, which
// then counts as closed.
func (p *Provider) expire(ctx context.Context, conn ports.Connection, path string, call ports.ProviderCall) (ports.Outcome, error) {
	if path == "" {
		return ports.Outcome{}, refusal("session_not_prepared", nil)
	}
	var got api.CheckoutSession
	err := p.post(ctx, conn, postRequest{path, payment.AttemptKey(call), ""}, &got)
	if errors.Is(err, ports.ErrProviderRejected) {
		return p.closedIfExpired(ctx, conn, strings.TrimSuffix(path, expirePath), err)
	}
	if err := expect(err, got.Object == "checkout.session"); err != nil {
		return ports.Outcome{}, err
	}
	return ports.Outcome{Status: string(got.Status)}, nil
}

// closedIfExpired accepts a session that expired without a payment; for any other, and when the look-up
// fails, it returns the reason why Stripe refused to close it.
func (p *Provider) closedIfExpired(ctx context.Context, conn ports.Connection, path string, refused error) (ports.Outcome, error) {
	var got api.CheckoutSession
	err := p.get(ctx, conn, path, nil, &got)
	if err != nil || got.Status != api.CheckoutSessionStatusExpired || got.PaymentStatus != api.CheckoutSessionPaymentStatusUnpaid {
		return ports.Outcome{}, refused
	}
	return ports.Outcome{Status: string(got.Status), Closed: true}, nil
}

// Action is what the browser needs: the URL of the page.
func (p *Provider) Action(_ ports.Connection, req ports.PaymentRequest, prepared domain.Prepared) (collection.JSONValue, error) {
	if req.Kind != domain.Hosted {
		return nil, payment.ErrKind(req.Kind)
	}
	return map[string]any{"checkoutUrl": prepared.CheckoutURL}, nil
}
