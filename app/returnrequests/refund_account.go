package returnrequests

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Resealer reseals the accounts of return requests.
func Resealer(store ports.Store, v ports.Vault, now func() time.Time, newID func() string) records.Resealer {
	return records.Resealer{
		Store: store, Vault: v, Now: now, NewID: newID, Schema: returns.Schema, Fields: []string{"refundAccount"}, Label: accountLabel,
	}
}

// sealedAccount is what is sealed.
type sealedAccount struct {
	Bank    string `json:"bank"`
	Account string `json:"account"`
	Holder  string `json:"holder"`
}

func accountLabel(request string) string { return "return-requests/" + request + "/refundAccount" }

// withAccount is x with the account that its refund goes to; without one, x. It takes the proof that naming one at the refund takes,
// which sends the money here without asking again. Errors: tenant.ErrReauthenticate, those of refunds.Service.CheckAccount.
func (r *Service) withAccount(
	ctx context.Context, tx ports.Tx, by tenant.Principal, x returns.Request, account *payment.RefundAccount,
) (returns.Request, error) {
	if account == nil {
		return x, nil
	}
	if err := by.RequireProof(); err != nil {
		return x, err
	}
	if err := r.Refunds.CheckAccount(ctx, tx.Records, x.Order, *account); err != nil {
		return x, err
	}
	plain, err := json.Marshal(sealedAccount(*account))
	if err != nil {
		return x, err
	}
	x.AccountEnding = account.Ending()
	x.RefundAccount, err = r.Vault.Seal(accountLabel(x.ID), plain)
	return x, err
}

// accountOf is the account that x was requested with, nil if it was without.
func (r *Service) accountOf(x returns.Request) (*payment.RefundAccount, error) {
	if x.RefundAccount == "" {
		return nil, nil
	}
	var account sealedAccount
	plain, err := r.Vault.Open(accountLabel(x.ID), x.RefundAccount)
	if err == nil {
		err = json.Unmarshal(plain, &account)
	}
	if err != nil {
		return nil, fmt.Errorf("open the account of return request %s: %w", x.ID, err)
	}
	return new(payment.RefundAccount(account)), nil
}
