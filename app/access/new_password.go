package access

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// hashNewPassword is the hash of a password that somebody with an address chose, if it is as good as all the tenants that
// it will open require. Errors: fault.ErrValidation, fault.ErrUnavailable.
func (a *Service) hashNewPassword(ctx context.Context, password, email string, opens ...tenant.ID) (string, error) {
	policy := identity.PasswordPolicy{Email: email}
	for _, t := range opens {
		settings, err := a.Keys.Tenant(ctx, t)
		if err != nil {
			return "", err
		}
		policy.MinLength = max(policy.MinLength, settings.MinPassword)
	}
	if err := policy.Check(password); err != nil {
		return "", err
	}
	return a.Passwords.Hash(ctx, password)
}

// openedBy are the tenants that a new password of the account opens: t, for which it was sent, or all of them.
func openedBy(account ports.Account, t tenant.ID) []tenant.ID {
	if t != "" {
		return []tenant.ID{t}
	}
	var all []tenant.ID
	for _, m := range account.Memberships {
		all = append(all, m.Tenant)
	}
	return all
}
