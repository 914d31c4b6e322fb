package stripefake

// Balance is what Stripe settles for a charge or refund, in its units.
type Balance struct {
	Currency    string // that the account is paid out in, "eur"
	Amount, Fee int64  // Amount is negative for money that left
}

// balanceJSON is a balance transaction.
func balanceJSON(id string, b *Balance) any {
	if b == nil {
		return nil
	}
	return map[string]any{
		"object": "balance_transaction", "id": "txn_" + id, "amount": b.Amount, "currency": b.Currency, "fee": b.Fee, "net": b.Amount - b.Fee,
		"source": id, "status": "pending",
	}
}
