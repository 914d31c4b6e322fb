package examplepay

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// paymentResponse is the part of a payment that the adapter uses. Members that are not named are ignored, so that the
// provider may add some. FACTS.md, 4.
type paymentResponse struct {
	ID         string           `json:"id"`
	Reference  string           `json:"reference"`
	Shop       string           `json:"shop"`
	Mode       string           `json:"mode"`
	Status     string           `json:"status"`
	Amount     int64            `json:"amount"` // a fraction does not fit, and is an error
	Currency   string           `json:"currency"`
	Method     string           `json:"method"`
	PageURL    string           `json:"pageUrl"`
	ReceiptURL string           `json:"receiptUrl"`
	Refunds    []refundResponse `json:"refunds"`
}

// refundResponse is a refund. FACTS.md, 9.
type refundResponse struct {
	ID     string `json:"id"`
	Key    string `json:"key"`
	Amount int64  `json:"amount"`
	Status string `json:"status"`
}

// states are ours by ExamplePay's. FACTS.md, 5. A status that is not listed is ProviderUnknown, which a person looks at: so
// never guess, and never map what may be money to a state in which nobody looks.
var states = map[string]ports.ProviderState{
	"open": ports.ProviderOpen, "pending": ports.ProviderProcessing, "paid": ports.ProviderPaid, "declined": ports.ProviderFailed,
	"closed": ports.ProviderCanceled, "expired": ports.ProviderExpired,
}

// refundStates are ours by ExamplePay's. One that is not listed is RefundPending: money may have moved.
var refundStates = map[string]ports.RefundState{
	"pending": ports.RefundPending, "done": ports.RefundSucceeded, "failed": ports.RefundFailed,
}

// Lookup reports a payment as ExamplePay has it, by our own id. Cartwright compares whose it is and how much with what
// it asked for, so all of that comes from the answer and nothing from ref.
func (p *Provider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	got, known, err := p.find(ctx, conn, ref.PaymentID)
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	if !known {
		return ports.ProviderPayment{
			State: ports.ProviderAbsent, PaymentID: ref.PaymentID, AccountKey: conn.AccountKey, Environment: conn.Environment,
		}, nil
	}
	state, mapped := states[got.Status]
	if !mapped {
		state = ports.ProviderUnknown
	}
	currency := money.Currency(got.Currency)
	found := ports.ProviderPayment{
		State: state, PaymentID: got.Reference, ProviderID: got.ID, AccountKey: got.Shop, Environment: tenant.Live,
		Amount: money.Of(got.Amount, currency), Refunded: money.Of(0, currency), Method: got.Method,
	}
	if got.Mode == "test" {
		found.Environment = tenant.Test
	}
	if payment.IsSafePageURL(got.ReceiptURL) { // it is shown to buyers
		found.ReceiptURL = got.ReceiptURL
	}
	for _, r := range got.Refunds { // those of the console, too
		one := r.report(currency)
		found.Refunds = append(found.Refunds, one)
		if one.State == ports.RefundSucceeded {
			found.Refunded = found.Refunded.Plus(one.Amount)
		}
	}
	return found, nil
}

// LookupRefund finds a refund by ExamplePay's id once that is known, else by the key of the call that asked for it,
// which ExamplePay stores. FACTS.md, 9. Where a provider stores no key, find it by its amount and the balance around it.
func (p *Provider) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (ports.ProviderRefund, error) {
	got, _, err := p.find(ctx, conn, ref.PaymentID)
	if err != nil {
		return ports.ProviderRefund{}, err
	}
	at := slices.IndexFunc(got.Refunds, func(r refundResponse) bool {
		if ref.ProviderID != "" {
			return r.ID == ref.ProviderID
		}
		return r.Key == ref.Key
	})
	if at < 0 {
		return ports.ProviderRefund{State: ports.RefundAbsent}, nil
	}
	return got.Refunds[at].report(money.Currency(got.Currency)), nil
}

func (r refundResponse) report(c money.Currency) ports.ProviderRefund {
	state, mapped := refundStates[r.Status]
	if !mapped {
		state = ports.RefundPending
	}
	return ports.ProviderRefund{State: state, ProviderID: r.ID, Amount: money.Of(r.Amount, c)}
}

// find reads a payment; known is false when ExamplePay says that there is none. Any other 404, of a proxy say, is an
// error: a payment that is taken for absent could be asked for twice. FACTS.md, 6.
func (p *Provider) find(ctx context.Context, conn ports.Connection, reference string) (got paymentResponse, known bool, err error) {
	answer, err := p.client.Do(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodGet, URL: p.base + "/payments/" + url.PathEscape(reference),
		Header: payment.BasicAuthHeader(conn.Credentials[credSecretKey]), Lookup: true,
	})
	if err != nil {
		return got, false, err
	}
	if answer.Status == http.StatusNotFound && errorCode(answer) == "UNKNOWN_PAYMENT" {
		return got, false, nil
	}
	got, err = parse(answer)
	return got, err == nil, err
}
