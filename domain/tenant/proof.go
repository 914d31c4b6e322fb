package tenant

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// ErrReauthenticate refuses a person at a session that may be somebody else's by now. Rule access-67.
var ErrReauthenticate = fault.New(fault.Forbidden, "reauthentication_required",
	"This was not done, because the session was not proven within the last ten minutes: prove it (POST /api/users/reauthenticate), and try again.")

// ProofLasts is how long a session counts as proven after its login, and after each proof. Rule access-67.
const ProofLasts = 10 * time.Minute

// RequireProof refuses a person whose session was not proven lately, and nobody else: keys are no session that anybody could
// find open. Errors: ErrReauthenticate.
func (p Principal) RequireProof() error {
	if p.Kind == User && p.Stale {
		return ErrReauthenticate
	}
	return nil
}

// RequireProofToRefund is RequireProof if the shop asks for it: when amount and what the person has given back lately in its
// currency, in minor units, come to more than the shop's limit. A shop that has no limit never asks; one that has some always asks
// in a currency for which it has none. Rule access-68. Errors: ErrReauthenticate.
func (p Principal) RequireProofToRefund(amount money.Money, lately int64) error {
	for _, limit := range p.Tenant.ProofAbove {
		if limit.Currency == amount.Currency && lately <= limit.Minor-amount.Minor {
			return nil
		}
	}
	if len(p.Tenant.ProofAbove) == 0 {
		return nil
	}
	return p.RequireProof()
}
