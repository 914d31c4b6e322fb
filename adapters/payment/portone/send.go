package portone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// The words of PortOne that decide something here, and those we refuse a call with before it is made.
const (
	typeOutstanding   = "IDEMPOTENCY_OUTSTANDING_REQUEST"
	typeBank          = "PG_PROVIDER"
	typeNoPayment     = "PAYMENT_NOT_FOUND"
	typeNoSession     = "SESSION_NOT_FOUND"
	typeSessionOver   = "SESSION_EXPIRED"
	typeChanged       = "CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN"
	typePaid          = "ALREADY_PAID"
	codeNotClosable   = "NOT_CLOSABLE"
	codeNotCancelled  = "CANCELLATION_FAILED"
	cancellationFails = "FAILED"
)

// Ready implements ports.Provider.
func (p *Provider) Ready(conn ports.Connection) error { return p.client.Ready(conn.ID) }

// Send performs a journaled call. A refund that the bank does later answers "status" REQUESTED: look-ups tell the outcome.
func (p *Provider) Send(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (map[string]string, error) {
	var x exchange
	if err := json.Unmarshal(call.Request, &x); err != nil {
		return nil, fault.ErrInternal.Because(fmt.Errorf("portone: journaled request: %w", err))
	}
	if x.Path == "" {
		return nil, ports.ErrProviderRejected.With("providerCode", codeNotClosable).Because(errors.New("portone cannot take a browser action back"))
	}
	if call.Operation == "prepare" {
		call.Attempt = opening(call)
	}
	if call.Attempt > 1 {
		if done, err := p.stillDue(ctx, conn, call.Operation, x); err != nil || done != nil {
			return done, err
		}
	}
	header, err := authorization(conn)
	if err != nil {
		return nil, err
	}
	key := payment.AttemptKey(call)
	if call.Operation == "refund" {
		key = payment.RefundKey(call)
	}
	header.Set("Idempotency-Key", quoted(key))
	if len(x.Body) > 0 {
		header.Set("Content-Type", "application/json")
	}
	answer, err := p.client.Do(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodPost, URL: p.base + x.Path, Header: header, Body: x.Body, IsAnswer: ofTheBank,
	})
	if err != nil {
		return nil, err
	}
	switch call.Operation {
	case "prepare":
		return prepared(answer, x)
	case "close":
		return p.closed(ctx, conn, answer, x)
	case "refund":
		return refunded(answer, x)
	}
	return nil, fault.ErrInternal.Because(fmt.Errorf("portone: operation %q", call.Operation))
}

// opening counts the pages that a prepare may have opened, from 1. As long as a page lives, a repeated prepare asks for it by
// the same key, which PortOne remembers for longer; then it asks for another one. Should two live for a while, one at most can
// be paid, for they are of one payment. Reference payments 1.1 to 1.3.
func opening(prepare ports.ProviderCall) int {
	if prepare.FirstAt.IsZero() {
		return 1
	}
	return 1 + int(prepare.StartedAt.Sub(prepare.FirstAt)/pageLife)
}

// stillDue looks before a call is made under another key than before, for PortOne would do it again: its guard of a refund
// counts nothing that the bank has yet to do. Done is the answer of an earlier attempt that turns out to have worked. Closing
// twice is closing once.
func (p *Provider) stillDue(ctx context.Context, conn ports.Connection, operation string, x exchange) (done map[string]string, err error) {
	if operation == "close" {
		return nil, nil
	}
	s, known, err := p.payment(ctx, conn, x.Payment)
	switch {
	case err != nil:
		return nil, err
	case operation == "refund":
		return s.refunded(x)
	case known && s.state() != ports.ProviderOpen && s.state() != ports.ProviderFailed:
		return nil, refusal(typePaid, errors.New("portone: the payment went on under an earlier attempt"))
	}
	return nil, nil
}

// refunded finds a refund among the cancellations of s by what was left before and after; nil when nothing was cancelled
// since it was decided on.
func (s statement) refunded(x exchange) (map[string]string, error) {
	var asked cancellation
	if err := json.Unmarshal(x.Body, &asked); err != nil {
		return nil, fault.ErrInternal.Because(fmt.Errorf("portone: journaled refund: %w", err))
	}
	left, ok := s.cancellable()
	if ok && left == asked.CurrentCancellableAmount {
		return nil, nil
	}
	for _, c := range s.Cancellations {
		amount, _ := minor(c.TotalAmount)
		if ok && c.Status != cancellationFails && amount == asked.Amount && left == asked.CurrentCancellableAmount-amount {
			return map[string]string{"status": c.Status, "cancellationId": c.ID}, nil
		}
	}
	return nil, refusal(typeChanged, errors.New("portone: something else was cancelled since"))
}

// quoted is the form of RFC 8941 that PortOne takes keys in; ours are letters, digits and dashes.
func quoted(key string) string { return `"` + key + `"` }

// authorization refuses a secret that no header can carry: it cannot be the right one.
func authorization(conn ports.Connection) (http.Header, error) {
	secret := conn.Credentials[apiSecret]
	if secret == "" || strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, refusal("UNAUTHORIZED", errors.New("portone: the connection has no usable apiSecret"))
	}
	return http.Header{"Authorization": {"PortOne " + secret}, "Accept": {"application/json"}}, nil
}

func prepared(a payment.Answer, x exchange) (map[string]string, error) {
	if !a.Success() {
		return nil, rejected(a)
	}
	if x.Path != "/payment-sessions" {
		var nothing map[string]any // an object without fields
		if err := json.Unmarshal(a.Body, &nothing); err != nil || nothing == nil {
			return nil, unreadable(errors.New("no object"))
		}
		return map[string]string{"status": "REGISTERED"}, nil
	}
	var got struct {
		SessionID string `json:"sessionId"`
		URL       string `json:"url"`
	}
	if err := json.Unmarshal(a.Body, &got); err != nil {
		return nil, unreadable(err)
	}
	if !payment.IsPage(got.URL) || got.SessionID == "" {
		return nil, unreadable(errors.New("no session with an https page"))
	}
	return map[string]string{"providerSessionId": got.SessionID, "checkoutUrl": got.URL, "status": "OPEN"}, nil
}

// closed takes a page that is gone already for closed: either way nobody can pay on it. Somebody may have, or be about to:
// what the page began is only known to the payment.
func (p *Provider) closed(ctx context.Context, conn ports.Connection, a payment.Answer, x exchange) (map[string]string, error) {
	if !a.Success() && !pageGone(a) {
		return nil, rejected(a)
	}
	s, known, err := p.payment(ctx, conn, x.Payment)
	if err != nil {
		return nil, err
	}
	if known && !waits(s.state()) && s.state() != ports.ProviderCanceled {
		return nil, refusal(typePaid, errors.New("portone: the page is closed, its payment went on"))
	}
	return map[string]string{"status": "CLOSED", "closed": "true"}, nil
}

func pageGone(a payment.Answer) bool {
	return a.Status == http.StatusGone && refusalType(a) == typeSessionOver || pageUnknown(a)
}

func pageUnknown(a payment.Answer) bool {
	return a.Status == http.StatusNotFound && refusalType(a) == typeNoSession
}

func refunded(a payment.Answer, x exchange) (map[string]string, error) {
	if !a.Success() {
		return nil, rejected(a)
	}
	var got struct {
		Cancellation cancelled `json:"cancellation"`
	}
	var asked cancellation
	if err := errors.Join(json.Unmarshal(a.Body, &got), json.Unmarshal(x.Body, &asked)); err != nil {
		return nil, unreadable(err)
	}
	did := got.Cancellation
	switch {
	case did.Status == cancellationFails:
		return nil, refusal(codeNotCancelled, errors.New("portone could not cancel"))
	case did.Status != "SUCCEEDED" && did.Status != "REQUESTED":
		return nil, unreadable(errors.New("a cancellation in a state we do not know"))
	case string(did.TotalAmount) != strconv.FormatInt(asked.Amount, 10):
		return nil, unreadable(errors.New("another amount was cancelled than asked for"))
	}
	return map[string]string{"status": did.Status, "cancellationId": did.ID}, nil
}

// ofTheBank reports whether an answer of 5xx is PortOne passing on the error of the bank behind it, about one payment.
func ofTheBank(a payment.Answer) bool {
	return a.Status == http.StatusBadGateway && refusalType(a) == typeBank
}

// rejected is the fault of an answer that is no success. PortOne's sentences may quote the buyer: only its codes are kept.
// A request that still runs, and a bank that failed, may have acted all the same.
func rejected(a payment.Answer) error {
	kind := refusalType(a)
	err := fmt.Errorf("portone answered %d %s", a.Status, kind)
	if a.Status >= http.StatusInternalServerError || a.Status == http.StatusConflict && kind == typeOutstanding {
		return ports.ErrProviderUnavailable.With("providerCode", kind).Because(err)
	}
	return refusal(kind, err)
}

func refusal(code string, cause error) error {
	return ports.ErrProviderRejected.With("providerCode", code).Because(cause)
}

func unreadable(err error) error {
	return ports.ErrProviderUnavailable.Because(fmt.Errorf("portone: answer: %w", err))
}

var typeForm = regexp.MustCompile(`^[A-Z][A-Z0-9_]{1,79}$`)

// refusalType is the type of an error body {type, message}, else the status.
func refusalType(a payment.Answer) string {
	var said struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(a.Body, &said) != nil || !typeForm.MatchString(said.Type) {
		return "HTTP_" + strconv.Itoa(a.Status)
	}
	return said.Type
}
