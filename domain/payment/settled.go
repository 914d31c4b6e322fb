package payment

import "github.com/cartwright-dev/cartwright/domain/money"

// Settled is what a provider says that it settles with the shop for money that moved: what that money changes the shop's
// balance at the provider by, before the provider pays it out. It is what the provider says, and never worked out. The zero
// value says that it did not tell, or has not yet.
type Settled struct {
	Net money.Money // less the fee; negative for money that left
	Fee money.Money // what the provider keeps, in the currency of Net; negative where it gives a fee back
}

// IsTold reports whether the provider told.
func (s Settled) IsTold() bool { return s.Net.Currency != "" }
