package refunds

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// accountOf is the account that a refund of p is sent with: given, or nil where its provider takes none. Errors:
// payment.ErrRefundAccountRequired with Data "transactionId" and "paymentSessionId", fault.ErrValidation.
func (s *refunder) accountOf(
	ctx context.Context, r ports.Reader, p payment.RefundablePayment, given *payment.RefundAccount,
) (*payment.RefundAccount, error) {
	adapter := s.connections.Providers[p.Provider]
	if adapter == nil || p.Session == "" {
		return nil, nil // refunded by being recorded
	}
	row, err := r.Get(ctx, payment.Sessions, p.Session)
	if err != nil {
		return nil, err
	}
	a, err := adapter.Describe().RefundAccountOf(payment.SessionFrom(row), given)
	if errors.Is(err, payment.ErrRefundAccountRequired) {
		err = payment.ErrRefundAccountRequired.WithData("transactionId", p.ID).WithData("paymentSessionId", p.Session)
	}
	return a, err
}

// accountsOf are the accounts of refunds of whatever is left of the payments of x, by the payments' ids. Errors: those of
// accountOf.
func (s *refunder) accountsOf(
	ctx context.Context, r ports.Reader, x refundable, given *payment.RefundAccount,
) (map[string]*payment.RefundAccount, error) {
	accounts := map[string]*payment.RefundAccount{}
	for _, p := range x.payments {
		if p.RefundableAmount().IsZero() {
			continue
		}
		a, err := s.accountOf(ctx, r, p, given)
		if err != nil {
			return nil, err
		}
		accounts[p.ID] = a
	}
	return accounts, nil
}

// CheckAccount refuses an account that none of an order's payments could be refunded to, so that its owner learns of it
// when giving it. Errors: fault.ErrValidation.
func (s *refunder) CheckAccount(ctx context.Context, r ports.Reader, order string, given payment.RefundAccount) error {
	transactions, err := payments.TransactionsOf(ctx, r, "order", order)
	if err != nil {
		return err
	}
	_, err = s.accountsOf(ctx, r, refundable{payments: payment.RefundablePayments(transactions)}, &given)
	return err
}
