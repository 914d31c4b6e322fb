package toss

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// Error codes that the adapter distinguishes.
const (
	codeNotFound      = "NOT_FOUND_PAYMENT"
	codeProcessed     = "ALREADY_PROCESSED_PAYMENT"
	codeForeignReplay = "IDEMPOTENT_ANSWER_OF_ANOTHER_PAYMENT" // our own code
	codeApproved      = "PAYMENT_APPROVED"                     // our own code
)

// transientCodes are refusals that mean "again later", whatever their status. Facts toss-7, toss-14.
var transientCodes = map[string]bool{
	"PROVIDER_ERROR": true, "IDEMPOTENT_REQUEST_PROCESSING": true, "FORBIDDEN_CONSECUTIVE_REQUEST": true, "ALREADY_PROCESSING_REQUEST": true,
}

// bankCodes are failures of the bank or card company behind one payment, which Toss answers with 500. Fact toss-15.
var bankCodes = map[string]bool{
	"FAILED_REFUND_PROCESS": true, "FAILED_PARTIAL_REFUND": true, "FAILED_METHOD_HANDLING_CANCEL": true, "FAILED_CARD_COMPANY_RESPONSE": true,
}

// paymentResponse is the part of a Payment that we use. The "secret" that deposit callbacks repeat is not
// read: a callback only makes us look the payment up.
type paymentResponse struct {
	MID         string           `json:"mId"`
	PaymentKey  string           `json:"paymentKey"`
	OrderID     string           `json:"orderId"`
	Status      string           `json:"status"`
	Method      string           `json:"method"`
	TotalAmount json.Number      `json:"totalAmount"`
	Balance     json.Number      `json:"balanceAmount"` // what is left of it
	Currency    string           `json:"currency"`
	Cancels     []cancelResponse `json:"cancels"`
	Receipt     *struct {
		URL string `json:"url"`
	} `json:"receipt"`
	VirtualAccount *virtualAccount `json:"virtualAccount"`
	CashReceipt    *cashReceipt    `json:"cashReceipt"`
	UseEscrow      bool            `json:"useEscrow"`
	// PartialCancelable is nil in answers that do not say.
	PartialCancelable *bool `json:"isPartialCancelable"`
}

// Ready implements ports.Provider.
func (p *Provider) Ready(conn ports.Connection) error { return p.client.Ready(conn.ID) }

// Do implements ports.Provider.
func (p *Provider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	if err := checkKeys(conn); err != nil {
		return ports.Outcome{}, err
	}
	switch call.Operation {
	case ports.OpPrepare:
		return p.prepare(ctx, conn, call)
	case ports.OpConfirm:
		return p.confirm(ctx, conn, call)
	case ports.OpClose:
		return p.close(ctx, conn, call)
	case ports.OpRefund:
		return p.refund(ctx, conn, call)
	}
	return ports.Outcome{}, fault.ErrInternal.WithCause(fmt.Errorf("toss: operation %q", call.Operation))
}

func (p *Provider) prepare(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	of, err := decodeRequest[orderRequest](call)
	if err != nil {
		return ports.Outcome{}, err
	}
	got, err := p.byOrder(ctx, conn, of.OrderID)
	return ports.Outcome{Status: got.Status}, err
}

// confirm captures at most once, under any key. Toss identifies a confirm by its idempotency key alone, not
// by its body: an answer about another payment is the stored answer of another confirm, and means that this
// one was not made.
func (p *Provider) confirm(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	of, err := decodeRequest[confirmRequest](call)
	if err != nil {
		return ports.Outcome{}, err
	}
	got, err := p.post(ctx, conn, "/confirm", payment.AttemptKey(call), call.Request)
	if providerCode(err) == codeProcessed { // perhaps by an attempt of ours whose answer was lost
		processed := err
		if got, err = p.byOrder(ctx, conn, of.OrderID); errors.Is(err, ports.ErrNotSent) {
			err = ports.ErrProviderUnavailable.WithCause(errors.New(err.Error())) // without ErrNotSent: the confirm was sent
		}
		if state := got.providerState(); err == nil &&
			(got.PaymentKey != of.PaymentKey || state != ports.ProviderPaid && state != ports.ProviderProcessing) {
			err = processed
		}
	}
	if err != nil {
		return ports.Outcome{}, err
	}
	if got.OrderID != of.OrderID || got.PaymentKey != of.PaymentKey {
		return ports.Outcome{}, reject(codeForeignReplay, fmt.Errorf("toss: order %s was confirmed, %s was asked for", got.OrderID, of.OrderID))
	}
	confirmed := got.toPort(conn)
	return ports.Outcome{Status: got.Status, Payment: &confirmed}, nil
}

// close cancels an account that waits for a deposit. Any other unpaid payment needs no action, since only our
// confirm can capture it; a payment that the buyer approved may be in the middle of that and is not closed.
func (p *Provider) close(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	of, err := decodeRequest[orderRequest](call)
	if err != nil {
		return ports.Outcome{}, err
	}
	got, err := p.byOrder(ctx, conn, of.OrderID)
	if err != nil {
		return ports.Outcome{}, err
	}
	switch got.providerState() {
	case ports.ProviderAbsent, ports.ProviderOpen, ports.ProviderFailed, ports.ProviderExpired, ports.ProviderCanceled:
		return ports.Outcome{Status: got.Status, Closed: true}, nil
	case ports.ProviderProcessing:
		if got.Status != statusAwaitingDeposit {
			return ports.Outcome{}, reject(codeApproved, errors.New("toss: the buyer approved the payment"))
		}
	default:
		return ports.Outcome{}, reject(codeProcessed, fmt.Errorf("toss: the payment is %s", got.Status))
	}
	body, err := json.Marshal(of.Cancel)
	if err != nil {
		return ports.Outcome{}, err
	}
	got, err = p.post(ctx, conn, "/"+url.PathEscape(got.PaymentKey)+"/cancel", payment.AttemptKey(call), body)
	return ports.Outcome{Status: got.Status}, err
}

// refund refunds only while the balance is the expected one. Attempts that may run at the same time have one key, under
// which Toss executes one of them; whatever else changed the balance shows in the look-up.
func (p *Provider) refund(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	of, err := decodeRequest[refundRequest](call)
	if err != nil {
		return ports.Outcome{}, err
	}
	path := "/" + url.PathEscape(of.PaymentKey)
	before, err := p.find(ctx, conn, path)
	if err != nil {
		return ports.Outcome{}, err
	}
	if before.PaymentKey != "" && !before.hasBalance(of.Remaining) {
		done, err := before.findRefund(of)
		return ports.Outcome{Status: done.Status}, err
	}
	if err := before.checkPartialCancel(of); err != nil {
		return ports.Outcome{}, err
	}
	got, err := p.post(ctx, conn, path+"/cancel", payment.RefundKey(call), of.Cancel)
	if err != nil {
		return ports.Outcome{}, err
	}
	if got.PaymentKey != of.PaymentKey {
		return ports.Outcome{}, reject(codeForeignReplay, errors.New("toss: another payment was refunded"))
	}
	return ports.Outcome{Status: got.Status}, got.checkCancelRan(of)
}

func decodeRequest[T any](call ports.ProviderCall) (of T, err error) {
	if err := json.Unmarshal(call.Request, &of); err != nil {
		return of, fault.ErrInternal.WithCause(fmt.Errorf("toss: journaled %s: %w", call.Operation, err))
	}
	return of, nil
}

const statusAwaitingDeposit = "WAITING_FOR_DEPOSIT"

// providerStates maps the provider's states to ours. A partly refunded payment is unknown and requires
// attention: it is neither fully paid nor fully refunded.
var providerStates = map[string]ports.ProviderState{
	"READY": ports.ProviderOpen, "IN_PROGRESS": ports.ProviderProcessing, statusAwaitingDeposit: ports.ProviderProcessing,
	"DONE": ports.ProviderPaid, "CANCELED": ports.ProviderCanceled, "ABORTED": ports.ProviderFailed, "EXPIRED": ports.ProviderExpired,
}

func (s paymentResponse) providerState() ports.ProviderState {
	state, known := providerStates[s.Status]
	switch {
	case s.PaymentKey == "":
		return ports.ProviderAbsent
	case !known:
		return ports.ProviderUnknown
	}
	return state
}

// Lookup uses the payment key where it is known, else our id.
func (p *Provider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	if err := checkKeys(conn); err != nil {
		return ports.ProviderPayment{}, err
	}
	var got paymentResponse
	var err error
	if ref.ProviderPaymentID != "" {
		got, err = p.find(ctx, conn, "/"+url.PathEscape(ref.ProviderPaymentID))
	} else {
		got, err = p.byOrder(ctx, conn, ref.PaymentID)
	}
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	if got.PaymentKey == "" {
		return ports.ProviderPayment{
			State: ports.ProviderAbsent, PaymentID: ref.PaymentID, AccountKey: conn.AccountKey, Environment: conn.Environment,
		}, nil
	}
	return got.toPort(conn), nil
}

// toPort converts a payment that Toss knows.
func (s paymentResponse) toPort(conn ports.Connection) ports.ProviderPayment {
	found := ports.ProviderPayment{
		State: ports.ProviderUnknown, PaymentID: s.OrderID, ProviderID: s.PaymentKey, AccountKey: s.MID,
		Environment: conn.Environment, Method: s.Method,
	}
	if s.Receipt != nil {
		found.ReceiptURL = s.Receipt.URL
	}
	found.CashReceipt, found.Escrow = s.CashReceipt.toPort(), s.UseEscrow
	if currency := s.currency(); currency.Valid() {
		found.Refunded, found.Refunds = s.refunded(currency), s.listRefunds(currency)
		var err error
		if found.Amount, err = money.Parse(s.TotalAmount.String(), currency); err == nil {
			found.State = s.providerState() // an unreadable amount requires attention, like an unknown state
			if s.Status == statusAwaitingDeposit {
				found.Instructions = s.VirtualAccount.instructions(found.Amount)
			}
		}
	}
	return found
}

func (p *Provider) byOrder(ctx context.Context, conn ports.Connection, orderID string) (paymentResponse, error) {
	return p.find(ctx, conn, "/orders/"+url.PathEscape(orderID))
}

// find gets a payment; the zero value when Toss does not know it.
func (p *Provider) find(ctx context.Context, conn ports.Connection, path string) (paymentResponse, error) {
	got, err := p.exchange(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodGet, URL: p.base + path, Header: authHeader(conn), Lookup: true,
	})
	if providerCode(err) == codeNotFound {
		return paymentResponse{}, nil
	}
	return got, err
}

func (p *Provider) post(ctx context.Context, conn ports.Connection, path, key string, body []byte) (paymentResponse, error) {
	h := authHeader(conn)
	h.Set("Content-Type", "application/json")
	h.Set("Idempotency-Key", key)
	return p.exchange(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodPost, URL: p.base + path, Header: h, Body: body, AcceptsServerError: isBankError,
	})
}

func authHeader(conn ports.Connection) http.Header {
	return payment.BasicAuthHeader(conn.Credentials[credSecretKey])
}

func (p *Provider) exchange(ctx context.Context, r payment.Request) (paymentResponse, error) {
	answer, err := p.client.Do(ctx, r)
	if err != nil {
		return paymentResponse{}, err
	}
	if !answer.Success() {
		return paymentResponse{}, rejectionOf(answer)
	}
	var got paymentResponse
	if err := json.Unmarshal(answer.Body, &got); err != nil {
		return paymentResponse{}, ports.ErrProviderUnavailable.WithCause(fmt.Errorf("toss: answer: %w", err))
	}
	if got.PaymentKey == "" || got.OrderID == "" {
		return paymentResponse{}, ports.ErrProviderUnavailable.WithCause(errors.New("toss: the answer has no payment"))
	}
	return got, nil
}

// isBankError reports whether a 5xx answer is about one payment and its bank, rather than about Toss.
func isBankError(a payment.Response) bool {
	said := errorOf(a)
	return a.Status >= http.StatusInternalServerError && (bankCodes[said.Code] || strings.HasPrefix(said.Code, "[") || strings.HasPrefix(said.Message, "["))
}

type errorResponse struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func errorOf(a payment.Response) (said errorResponse) {
	_ = json.Unmarshal(a.Body, &said) // an unreadable answer has no code
	return said
}

// rejectionOf is the error of an unsuccessful answer. A bank that failed may still have acted.
func rejectionOf(a payment.Response) error {
	code := cmp.Or(errorOf(a).Code, "HTTP_"+strconv.Itoa(a.Status))
	because := fmt.Errorf("toss answered %d %s", a.Status, code)
	if transientCodes[code] || a.Status >= http.StatusInternalServerError {
		return ports.ErrProviderUnavailable.WithData("providerCode", code).WithCause(because)
	}
	if partialRefusals[code] {
		return errFullRefundOnly.WithData("providerCode", code).WithCause(because)
	}
	return reject(code, because)
}

// providerCode is the provider's code of a refusal, "" for any other error.
func providerCode(err error) string {
	if !errors.Is(err, ports.ErrProviderRejected) {
		return ""
	}
	text, _ := fault.From(err).Data["providerCode"].(string)
	return text
}
