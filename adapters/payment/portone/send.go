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
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// PortOne's error types that the adapter distinguishes, and our own for calls refused before they are made.
const (
	typeInProgress         = "IDEMPOTENCY_OUTSTANDING_REQUEST"
	typeBank               = "PG_PROVIDER"
	typeNoPayment          = "PAYMENT_NOT_FOUND"
	typeNoSession          = "SESSION_NOT_FOUND"
	typeSessionExpired     = "SESSION_EXPIRED"
	typeAmountChanged      = "CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN"
	typeAlreadyPaid        = "ALREADY_PAID"
	codeNotClosable        = "NOT_CLOSABLE"
	codeCancellationFailed = "CANCELLATION_FAILED"
	statusFailed           = "FAILED"
)

// Ready implements ports.Provider.
func (p *Provider) Ready(conn ports.Connection) error { return p.client.Ready(conn.ID) }

// Do implements ports.Provider. A refund that the bank executes later answers "status" REQUESTED;
// look-ups report the outcome.
func (p *Provider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	var x storedCall
	if err := json.Unmarshal(call.Request, &x); err != nil {
		return ports.Outcome{}, fault.ErrInternal.WithCause(fmt.Errorf("portone: journaled request: %w", err))
	}
	if x.Path == "" {
		return ports.Outcome{}, ports.ErrProviderRejected.WithData("providerCode", codeNotClosable).
			WithCause(errors.New("portone cannot take a browser action back"))
	}
	if call.Operation == ports.OpPrepare {
		call.Attempt = pageAttempt(call, x)
	}
	if call.Attempt > 1 {
		done, err := p.checkEarlierAttempts(ctx, conn, call.Operation, x)
		switch {
		case err != nil:
			return ports.Outcome{}, err
		case done != nil:
			return *done, nil
		}
	}
	header, err := authorization(conn)
	if err != nil {
		return ports.Outcome{}, err
	}
	key := payment.AttemptKey(call)
	if call.Operation == ports.OpRefund {
		key = payment.RefundKey(call)
	}
	header.Set("Idempotency-Key", quotedKey(key))
	if len(x.Body) > 0 {
		header.Set("Content-Type", "application/json")
	}
	answer, err := p.client.Do(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodPost, URL: p.base + x.Path, Header: header, Body: x.Body, AcceptsServerError: isBankError,
	})
	if err != nil {
		return ports.Outcome{}, err
	}
	switch call.Operation {
	case ports.OpPrepare:
		return parsePrepared(answer, x)
	case ports.OpClose:
		return p.parseClosed(ctx, conn, answer, x)
	case ports.OpRefund:
		return parseRefunded(answer, x)
	}
	return ports.Outcome{}, fault.ErrInternal.WithCause(fmt.Errorf("portone: operation %q", call.Operation))
}

// pageAttempt counts the pages that a prepare may have opened, from 1. While a page is open, a repeated
// prepare uses its key, which PortOne keeps for longer; afterwards it uses a new one. If two are open for a
// while, only one can be paid, since both are of one payment. Facts portone-7, portone-9.
func pageAttempt(prepare ports.ProviderCall, x storedCall) int {
	if prepare.FirstAttemptAt.IsZero() {
		return 1
	}
	life := pageTTL
	var page hostedSessionRequest
	if err := json.Unmarshal(x.Body, &page); err == nil && page.TTLSeconds > 0 {
		life = time.Duration(page.TTLSeconds) * time.Second
	}
	return 1 + int(prepare.StartedAt.Sub(prepare.FirstAttemptAt)/life)
}

// checkEarlierAttempts looks the outcome up before a call is repeated under another key, since PortOne would
// execute it again: its own check of a refund ignores what the bank has not executed yet. done is the answer
// of an earlier attempt that worked. Closing is idempotent.
func (p *Provider) checkEarlierAttempts(
	ctx context.Context, conn ports.Connection, operation string, x storedCall,
) (done *ports.Outcome, err error) {
	if operation == ports.OpClose {
		return nil, nil
	}
	s, known, err := p.payment(ctx, conn, x.Payment)
	switch {
	case err != nil:
		return nil, err
	case operation == ports.OpRefund:
		return s.findRefund(x)
	case known && s.providerState() != ports.ProviderOpen && s.providerState() != ports.ProviderFailed:
		return nil, refusal(typeAlreadyPaid, errors.New("portone: the payment continued under an earlier attempt"))
	}
	return nil, nil
}

// findRefund finds a refund among the cancellations of s by the balance before and after; nil when nothing
// was canceled since the refund was requested.
func (s paymentResponse) findRefund(x storedCall) (*ports.Outcome, error) {
	var asked cancelRequest
	if err := json.Unmarshal(x.Body, &asked); err != nil {
		return nil, fault.ErrInternal.WithCause(fmt.Errorf("portone: journaled refund: %w", err))
	}
	left, ok := s.cancellable()
	if ok && left == asked.CurrentCancellableAmount {
		return nil, nil
	}
	for _, c := range s.Cancellations {
		amount, _ := parseMinorUnits(c.TotalAmount)
		if ok && c.Status != statusFailed && amount == asked.Amount && left == asked.CurrentCancellableAmount-amount {
			return &ports.Outcome{Status: c.Status}, nil
		}
	}
	return nil, refusal(typeAmountChanged, errors.New("portone: something else was cancelled since"))
}

// quotedKey is the RFC 8941 string in which PortOne takes keys; ours are letters, digits and dashes.
func quotedKey(key string) string { return `"` + key + `"` }

// authorization refuses a secret that is not valid in a header.
func authorization(conn ports.Connection) (http.Header, error) {
	secret := conn.Credentials[credAPISecret]
	if secret == "" || strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, refusal("UNAUTHORIZED", errors.New("portone: the connection has no usable apiSecret"))
	}
	return http.Header{"Authorization": {"PortOne " + secret}, "Accept": {"application/json"}}, nil
}

func parsePrepared(a payment.Response, x storedCall) (ports.Outcome, error) {
	if !a.Success() {
		return ports.Outcome{}, rejected(a)
	}
	if x.Path != "/payment-sessions" {
		var nothing map[string]any // an empty object
		if err := json.Unmarshal(a.Body, &nothing); err != nil || nothing == nil {
			return ports.Outcome{}, unreadableResponse(errors.New("not an object"))
		}
		return ports.Outcome{Status: "REGISTERED"}, nil
	}
	var got struct {
		SessionID string `json:"sessionId"`
		URL       string `json:"url"`
		ExpiresAt string `json:"expiresAt"`
	}
	if err := json.Unmarshal(a.Body, &got); err != nil {
		return ports.Outcome{}, unreadableResponse(err)
	}
	if !payment.IsSafePageURL(got.URL) || got.SessionID == "" {
		return ports.Outcome{}, unreadableResponse(errors.New("no session with an https page"))
	}
	end, _ := time.Parse(time.RFC3339, got.ExpiresAt) // an unreadable time is none
	return ports.Outcome{Status: "OPEN", Prepared: domain.Prepared{SessionID: got.SessionID, CheckoutURL: got.URL, PageEnd: end}}, nil
}

// parseClosed treats an expired page as closed: in both cases nobody can pay on it. The buyer may have paid
// before, which only the payment shows.
func (p *Provider) parseClosed(ctx context.Context, conn ports.Connection, a payment.Response, x storedCall) (ports.Outcome, error) {
	if !a.Success() && !pageGone(a) {
		return ports.Outcome{}, rejected(a)
	}
	s, known, err := p.payment(ctx, conn, x.Payment)
	if err != nil {
		return ports.Outcome{}, err
	}
	if known && !awaitsBuyer(s.providerState()) && s.providerState() != ports.ProviderCanceled {
		return ports.Outcome{}, refusal(typeAlreadyPaid, errors.New("portone: the page is closed, but its payment continued"))
	}
	return ports.Outcome{Status: "CLOSED", Closed: true}, nil
}

func pageGone(a payment.Response) bool {
	return a.Status == http.StatusGone && refusalType(a) == typeSessionExpired || pageUnknown(a)
}

func pageUnknown(a payment.Response) bool {
	return a.Status == http.StatusNotFound && refusalType(a) == typeNoSession
}

func parseRefunded(a payment.Response, x storedCall) (ports.Outcome, error) {
	if !a.Success() {
		return ports.Outcome{}, rejected(a)
	}
	var got struct {
		Cancellation cancellationResponse `json:"cancellation"`
	}
	var asked cancelRequest
	if err := errors.Join(json.Unmarshal(a.Body, &got), json.Unmarshal(x.Body, &asked)); err != nil {
		return ports.Outcome{}, unreadableResponse(err)
	}
	did := got.Cancellation
	switch {
	case did.Status == statusFailed:
		return ports.Outcome{}, refusal(codeCancellationFailed, errors.New("portone could not cancel"))
	case did.Status != "SUCCEEDED" && did.Status != "REQUESTED":
		return ports.Outcome{}, unreadableResponse(errors.New("a cancellation in a state we do not know"))
	case string(did.TotalAmount) != strconv.FormatInt(asked.Amount, 10):
		return ports.Outcome{}, unreadableResponse(errors.New("another amount was cancelled than asked for"))
	}
	return ports.Outcome{Status: did.Status}, nil
}

// isBankError reports whether a 5xx answer is an error of the bank behind PortOne, about one payment.
func isBankError(a payment.Response) bool {
	return a.Status == http.StatusBadGateway && refusalType(a) == typeBank
}

// rejected is the fault of an unsuccessful answer. PortOne's messages may quote the buyer, so only the codes
// are kept. A request that is still running, and a bank that failed, may still have taken effect.
func rejected(a payment.Response) error {
	kind := refusalType(a)
	err := fmt.Errorf("portone answered %d %s", a.Status, kind)
	if a.Status >= http.StatusInternalServerError || a.Status == http.StatusConflict && kind == typeInProgress {
		return ports.ErrProviderUnavailable.WithData("providerCode", kind).WithCause(err)
	}
	return refusal(kind, err)
}

func refusal(code string, cause error) error {
	return ports.ErrProviderRejected.WithData("providerCode", code).WithCause(cause)
}

func unreadableResponse(err error) error {
	return ports.ErrProviderUnavailable.WithCause(fmt.Errorf("portone: answer: %w", err))
}

var errorTypePattern = regexp.MustCompile(`^[A-Z][A-Z0-9_]{1,79}$`)

// refusalType is the type of an error body {type, message}, else the status.
func refusalType(a payment.Response) string {
	var said struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(a.Body, &said) != nil || !errorTypePattern.MatchString(said.Type) {
		return "HTTP_" + strconv.Itoa(a.Status)
	}
	return said.Type
}
