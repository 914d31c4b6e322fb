package bank

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"time"
)

const (
	defaultDueIn = 3 * 24 * time.Hour
	maxDueIn     = 30 * 24 * time.Hour
)

// methodTransfer is the method of a payment by virtual account, whatever method the shop asked for.
const methodTransfer = "VIRTUAL_ACCOUNT"

// The bank of all virtual accounts.
const (
	bankName   = "Sandbox Bank"
	bankCode   = "099"
	bankHolder = "Sandbox Payments"
)

// transfer is a payment's virtual account: it takes the exact amount of this payment, once, until it is due.
type transfer struct {
	DueIn  time.Duration `json:"dueIn"`
	Number string        `json:"accountNumber"` // "" before the account is issued
	DueAt  time.Time     `json:"dueAt"`         // it takes nothing from then on
}

// transferView is an account as shops and buyers see it.
type transferView struct {
	Bank     string    `json:"bank"`
	BankCode string    `json:"bankCode"`
	Number   string    `json:"accountNumber"`
	Holder   string    `json:"holder"`
	DueAt    time.Time `json:"dueAt"`
}

// transferView is the account of p; nil before it is issued.
func (p payment) transferView() *transferView {
	if p.Transfer == nil || p.Transfer.Number == "" {
		return nil
	}
	return &transferView{Bank: bankName, BankCode: bankCode, Number: p.Transfer.Number, Holder: bankHolder, DueAt: p.Transfer.DueAt}
}

// methodUsed is how p is paid, as far as the buyer has decided.
func (p payment) methodUsed() string {
	if p.Transfer != nil {
		return methodTransfer
	}
	return p.Method
}

// issueAccount gives p a virtual account, which waits for its deposit.
func (p payment) issueAccount(now time.Time) payment {
	issued := *p.Transfer
	issued.Number, issued.DueAt = accountNumber(), now.Add(issued.DueIn)
	p.Status, p.Transfer = statusWaiting, &issued
	return p
}

// accountNumber is a random account number that looks like those of banks: "099-481516-23423".
func accountNumber() string {
	digits := func(n int64) int64 {
		v, _ := rand.Int(rand.Reader, big.NewInt(n)) // never fails
		return v.Int64()
	}
	return fmt.Sprintf("%s-%06d-%05d", bankCode, digits(1_000_000), digits(100_000))
}

// The moves of money to and from a virtual account. WAITING_FOR_DEPOSIT becomes PAID by a deposit; a reversal makes it
// WAITING_FOR_DEPOSIT again, and another deposit PAID.
var (
	errNoAccount   = refuse(http.StatusConflict, "NO_VIRTUAL_ACCOUNT", "The payment has no virtual account.")
	errNotReversed = refuse(http.StatusConflict, "DEPOSIT_NOT_REVERSIBLE", "There is no deposit that could be taken back.")
)

// deposit is p, as of now, after the buyer's deposit, which is of its exact amount.
func (p payment) deposit(now time.Time) (payment, []webhook, error) {
	switch {
	case p.Transfer == nil || p.Transfer.Number == "":
		return p, nil, errNoAccount
	case p.paid():
		return p, nil, errAlreadyPaid
	case p.Status != statusWaiting:
		return p, nil, errNotOpen
	}
	p = p.capture(p.Amount, now)
	return p, p.webhooksOf(now, "Transaction.Paid"), nil
}

// reverse is p after the buyer's bank took the deposit back: it waits for another one.
func (p payment) reverse(now time.Time) (payment, []webhook, error) {
	if p.Transfer == nil || p.Status != statusPaid || p.refundable() != p.Captured {
		return p, nil, errNotReversed
	}
	p.Status, p.Captured, p.PaidAt = statusWaiting, 0, time.Time{}
	return p.asOf(now), p.webhooksOf(now, "Transaction.DepositReversed"), nil
}

// moveMoney applies a deposit or its reversal to the payment with a session or payment id.
func (b *Server) moveMoney(
	ctx context.Context, handle string, move func(payment, time.Time) (payment, []webhook, error),
) (payment, error) {
	return b.change(ctx, handle, func(tx *transaction, was payment, now time.Time) (payment, error) {
		p, hooks, err := move(was, now)
		if err != nil {
			return p, err
		}
		return p, errors.Join(tx.save(p), tx.planWebhooks(p, hooks))
	})
}

// moved is the answer to a script that moved money.
type moved struct {
	Status string `json:"status"`
}

// depositRequest is the body of a deposit by a script. An account takes no other amount than its payment's.
type depositRequest struct {
	Amount int64 `json:"amount"` // minor units; 0 is the exact amount
}

func (b *Server) depositByScript(r *http.Request) (any, error) {
	var in depositRequest
	if err := decodeScript(r, &in); err != nil {
		return nil, err
	}
	p, err := b.moveMoney(r.Context(), r.PathValue("id"), func(p payment, now time.Time) (payment, []webhook, error) {
		if cmp.Or(in.Amount, p.Amount) != p.Amount {
			return p, nil, refuse(http.StatusConflict, "DEPOSIT_AMOUNT_MISMATCH", "The account takes %d alone.", p.Amount)
		}
		return p.deposit(now)
	})
	return moved{p.Status}, err
}

func (b *Server) reverseByScript(r *http.Request) (any, error) {
	if err := decodeScript(r, &struct{}{}); err != nil {
		return nil, err
	}
	p, err := b.moveMoney(r.Context(), r.PathValue("id"), payment.reverse)
	return moved{p.Status}, err
}

// decodeScript reads the body of a script's call, which may be empty.
func decodeScript(r *http.Request, into any) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "The body cannot be read.")
	}
	if len(body) == 0 {
		return nil
	}
	return decode(body, into)
}
