package payment

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Instructions tell a buyer what to pay where and until when: a virtual account, which is made for one payment. Rule
// payments-46.
type Instructions struct {
	Bank     string // name for people; "" if the adapter knows the code alone
	BankCode string // as the provider writes it
	Account  string // digits, and dashes where the provider writes them
	Holder   string // in whose name the account is; "" if the provider does not say
	Amount   money.Money
	Due      time.Time // when the account takes no money any more; zero: the provider names no time
}

// MaxDepositWait is how long goods are kept for a deposit at most. A later one still becomes the order while there are
// goods.
const MaxDepositWait = 7 * 24 * time.Hour

// LacksInstructions reports whether s awaits its money and does not have i yet.
func (s Session) LacksInstructions(i *Instructions) bool {
	if i == nil || s.Terminal() {
		return false
	}
	return s.Instructions == nil || !s.Instructions.equal(*i)
}

// AwaitsDeposit reports whether s waits for a buyer who knows where to pay.
func (s Session) AwaitsDeposit() bool { return s.Status == StatusProcessing && s.Instructions != nil }

func (i Instructions) equal(other Instructions) bool {
	sameTime := collection.TruncateTime(i.Due).Equal(collection.TruncateTime(other.Due))
	i.Due, other.Due = time.Time{}, time.Time{}
	return sameTime && i == other
}

// Instruct returns s with what its buyer has to do. A reservation that lasts is prolonged until the deposit is due, at
// most by MaxDepositWait from now; prolonged says that it was.
func (s Session) Instruct(i Instructions, now time.Time) (_ Session, prolonged bool) {
	i.Due = collection.TruncateTime(i.Due)
	s.Instructions = &i
	until := now.Add(MaxDepositWait)
	if !i.Due.IsZero() && i.Due.Before(until) {
		until = i.Due
	}
	if until = collection.TruncateTime(until); s.SlotHeld && now.Before(s.ExpiresAt) && until.After(s.ExpiresAt) {
		s.ExpiresAt = until
		return s, true
	}
	return s, false
}

// instructionFields are the members of the group "instructions".
var instructionFields = []collection.Field{
	{Name: "bank", Kind: collection.Text, Doc: "Name of the bank; null if only its code is known."},
	{Name: "bankCode", Kind: collection.Text, Doc: "The bank as the provider writes it."},
	{Name: "account", Kind: collection.Text, Personal: true, Doc: "Number of the account to pay to, made for this payment."},
	{Name: "holder", Kind: collection.Text, Personal: true, Doc: "In whose name the account is."},
	{Name: "amount", Kind: collection.Money, Currency: "currency", Doc: "What to pay, exactly, in major units."},
	{Name: "currency", Kind: collection.Text, Doc: "ISO 4217 code."},
	{Name: "due", Kind: collection.Date, Doc: "When the account takes no money any more."},
}

func (i Instructions) record() collection.Record {
	r := collection.Record{"amount": i.Amount, "currency": string(i.Amount.Currency)}
	for name, v := range map[string]string{"bank": i.Bank, "bankCode": i.BankCode, "account": i.Account, "holder": i.Holder} {
		if v != "" {
			r[name] = v
		}
	}
	if !i.Due.IsZero() {
		r["due"] = i.Due
	}
	return r
}

// instructionsFrom reads what Instructions.record wrote; nil without an account.
func instructionsFrom(r collection.Record) *Instructions {
	if r.Text("account") == "" {
		return nil
	}
	i := Instructions{
		Bank: r.Text("bank"), BankCode: r.Text("bankCode"), Account: r.Text("account"), Holder: r.Text("holder"), Due: r.Time("due"),
	}
	i.Amount, _ = r.Money("amount")
	return &i
}
