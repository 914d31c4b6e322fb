package examplepay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Do sends a call exactly as it was written down. It may be sent again, by this server or another one, until its
// outcome is known: the key makes the provider act once. FACTS.md, 10.
//
// Where a provider also repeats failures under a key, use payment.AttemptKey, or payment.RefundKey for refunds.
func (p *Provider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	path, body, err := address(call)
	if err != nil {
		return ports.Outcome{}, err
	}
	header := payment.BasicAuthHeader(conn.Credentials[credSecretKey])
	header.Set("Content-Type", "application/json")
	header.Set("Idempotency-Key", call.ProviderKey)
	answer, err := p.client.Do(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodPost, URL: p.base + path, Header: header, Body: body, AcceptsServerError: isBankFailure,
	})
	if err != nil {
		return ports.Outcome{}, err // ports.ErrProviderUnavailable: it is not known whether the provider acted
	}
	got, err := parse(answer)
	if err != nil {
		return ports.Outcome{}, err
	}
	if call.Operation == ports.OpPrepare && !payment.IsSafePageURL(got.PageURL) {
		return ports.Outcome{}, unreadable(errors.New("the answer has no page that can be shown"))
	}
	// Status is for people. What counts is what Lookup finds.
	return ports.Outcome{Status: got.Status, Prepared: domain.Prepared{SessionID: got.ID, CheckoutURL: got.PageURL}}, nil
}

// address is the path and the body of a call.
func address(call ports.ProviderCall) (path string, body []byte, err error) {
	if call.Operation == ports.OpPrepare {
		return "/payments", call.Request, nil
	}
	var of journaled
	if err := json.Unmarshal(call.Request, &of); err != nil {
		return "", nil, fault.ErrInternal.WithCause(fmt.Errorf("examplepay: journaled request: %w", err))
	}
	suffix := map[string]string{ports.OpClose: "/close", ports.OpRefund: "/refunds"}[call.Operation]
	return "/payments/" + url.PathEscape(of.Reference) + suffix, of.Body, nil
}

// isBankFailure reports whether a 5xx answer is about one payment. All others count as failures of ExamplePay, after a few
// of which no payment of the connection is tried for a while. FACTS.md, 14.
func isBankFailure(a payment.Response) bool { return errorCode(a) == "BANK_FAILED" }

// againLater are codes that look like refusals and are none: the same request may succeed later. FACTS.md, 13 and 14.
var againLater = map[string]bool{"PAYMENT_BUSY": true, "BANK_FAILED": true}

// parse reads an answer. A refusal is ports.ErrProviderRejected with the provider's code, and final. A success that
// cannot be read is ports.ErrProviderUnavailable: the provider may have acted, so it is looked up. The provider's
// message is left out of both, since it may repeat the request. FACTS.md, 2.
func parse(a payment.Response) (got paymentResponse, err error) {
	if code := errorCode(a); !a.Success() {
		if againLater[code] {
			return got, ports.ErrProviderUnavailable.WithData("providerCode", code).WithCause(fmt.Errorf("examplepay answered %d %s", a.Status, code))
		}
		return got, ports.ErrProviderRejected.WithData("providerCode", code).WithCause(fmt.Errorf("examplepay answered %d %s", a.Status, code))
	}
	if err := json.Unmarshal(a.Body, &got); err != nil {
		return got, unreadable(err)
	}
	if got.ID == "" || got.Reference == "" {
		return got, unreadable(errors.New("the answer has no payment"))
	}
	return got, nil
}

func unreadable(err error) error {
	return ports.ErrProviderUnavailable.WithCause(fmt.Errorf("examplepay: %w", err))
}

// errorCode is the provider's code, or one of our own for an answer without.
func errorCode(a payment.Response) string {
	var said struct {
		Code string `json:"code"`
	}
	if json.Unmarshal(a.Body, &said) != nil || said.Code == "" {
		return "HTTP_" + strconv.Itoa(a.Status)
	}
	return said.Code
}
