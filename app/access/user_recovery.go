package access

import (
	"context"
	"errors"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxResetTokens is how many tenants send a token for one request, those of the person's own account first. A request that
// names its tenant is always answered.
const MaxResetTokens = 20

// resetRecipients are whom a request for an address is answered: the member of tenant t, or of every tenant if
// there is none. A tenant sends no token to an admin of the platform.
func resetRecipients(accounts []ports.Account, t tenant.ID) (all []recipient) {
	if there, ok := MemberOf(accounts, t); ok {
		accounts = []ports.Account{there}
	} else {
		t = ""
	}
	for _, account := range ownAndNewestFirst(accounts) {
		for _, m := range account.Memberships {
			switch {
			case isPlatformAdmin(account):
				return []recipient{userRecipient(account, "")}
			case (t == "" || m.Tenant == t) && len(all) < MaxResetTokens:
				all = append(all, userRecipient(account, m.Tenant))
			}
		}
	}
	return all
}

// resetUser sets the password that the token's sender vouches for: of the tenant, or of all tenants.
func (a *Service) resetUser(ctx context.Context, in PasswordReset) (Session, error) {
	id, _, _, err := PurposeReset.parse(in.Token)
	if err != nil {
		return Session{}, err
	}
	account, err := a.Accounts.ByID(ctx, id)
	t, err := a.verifyUserToken(in.Token, account, err) // before the expensive hashing
	if err != nil {
		return Session{}, err
	}
	hash, err := a.hashNewPassword(ctx, in.Password, account.Email, openedBy(account, t)...)
	if err != nil {
		return Session{}, err
	}
	scope := ports.Scope{System: true}
	if t != "" {
		scope = MembersScope(t)
	}
	err = a.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.Accounts.Lock(ctx, id)
		if t, err = a.verifyUserToken(in.Token, found, err); err != nil {
			return err
		}
		if t == "" {
			account, err = a.proveAddress(ctx, tx, found, hash)
			return err
		}
		account = WithTenantPassword(found, t, hash, a.Now())
		if err := a.writeUserEvent(ctx, tx, id); err != nil {
			return err
		}
		return tx.Accounts.Save(ctx, account)
	})
	if err != nil {
		return Session{}, err
	}
	if all, err := a.Accounts.ByAddress(ctx, account.Email); err == nil { // the password is set, whether this works or not
		a.forgiveFailures(ctx, all, account.Email, in.ClientIP)
	}
	m := account.Memberships[max(0, MembershipIndex(account, t))]
	return a.newUserSession(ctx, loginCandidate{credential: credentialFor(account, m), account: account, member: m}, in.device())
}

// proveAddress stores a password for which the installation vouches. The account becomes the person's, unless
// another one of the address is.
func (a *Service) proveAddress(ctx context.Context, tx ports.Tx, account ports.Account, hash string) (ports.Account, error) {
	all, err := tx.Accounts.LockByAddress(ctx, account.Email)
	if err != nil {
		return account, err
	}
	if account.Home != "" && len(all) > 0 && all[0].Home == "" {
		account = WithTenantPassword(account, account.Home, hash, a.Now())
	} else {
		account = withOwnPassword(account, hash)
	}
	return account, tx.Accounts.Save(ctx, account)
}

// ErrSeveralAccounts asks which account of an address is meant.
var ErrSeveralAccounts = fault.New(fault.Conflict, "user_ambiguous", "There are several users with this address: name the tenant.")

// accountOfAddress is the account of an address: the member of tenant t, or the only one if t is "". Errors:
// ports.ErrNotFound, ErrSeveralAccounts.
func accountOfAddress(all []ports.Account, t tenant.ID) (ports.Account, error) {
	there, member := MemberOf(all, t)
	switch {
	case member:
		return there, nil
	case t != "" || len(all) == 0:
		return ports.Account{}, ports.ErrNotFound
	case len(all) > 1:
		return ports.Account{}, ErrSeveralAccounts
	}
	return all[0], nil
}

// SetRandomPassword sets a random password for a user, returns it, and ends their sessions; t names the tenant
// if several users have the address. It is for operators of the installation, which vouches for the address.
// Errors: ports.ErrNotFound, ErrSeveralAccounts.
func (a *Service) SetRandomPassword(ctx context.Context, email string, t tenant.ID) (password string, err error) {
	password = RandomString(20)
	hash, err := a.Passwords.Hash(ctx, password)
	if err != nil {
		return "", err
	}
	err = a.Store.Atomically(ctx, ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
		all, err := tx.Accounts.LockByAddress(ctx, strings.ToLower(strings.TrimSpace(email)))
		if err != nil {
			return err
		}
		account, err := accountOfAddress(all, t)
		if err != nil {
			return err
		}
		_, err = a.proveAddress(ctx, tx, account, hash)
		return err
	})
	if err != nil {
		return "", err
	}
	return password, nil
}

// IssueUserToken issues a token to reset a user's password, for which the installation vouches; t names the
// tenant if several users have the address. It is for operators of the installation, who pass it on. Errors:
// ports.ErrNotFound, ErrSeveralAccounts.
func (a *Service) IssueUserToken(ctx context.Context, email string, t tenant.ID) (EmailToken, error) {
	all, err := a.Accounts.ByAddress(ctx, strings.ToLower(strings.TrimSpace(email)))
	if err != nil {
		return EmailToken{}, err
	}
	account, err := accountOfAddress(all, t)
	if err != nil {
		return EmailToken{}, err
	}
	to := userRecipient(account, "")
	to.requestedAt = a.Now()
	return a.EmailTokens.issue(to)
}

// IssueCustomerToken issues a token for a customer of tenant t, for operators of the installation. Errors:
// ports.ErrNotFound.
func (a *Service) IssueCustomerToken(ctx context.Context, t tenant.ID, email string, use Purpose) (EmailToken, error) {
	r, err := a.customerByEmail(ctx, t, strings.ToLower(strings.TrimSpace(email)))
	if err != nil {
		return EmailToken{}, err
	}
	to := customerRecipient(use, r)
	to.requestedAt = a.Now()
	return a.EmailTokens.issue(to)
}

// verifyUserToken checks that token permits setting a password of the account, and returns the tenant that sent
// it; "" is the installation. err is the error of looking the account up. Errors: ErrEmailToken.
func (a *Service) verifyUserToken(token string, account ports.Account, err error) (tenant.ID, error) {
	switch {
	case errors.Is(err, ports.ErrNotFound), err == nil && len(account.Memberships) == 0:
		return "", ErrEmailToken
	case err != nil:
		return "", err
	}
	if !isPlatformAdmin(account) {
		for _, m := range account.Memberships {
			if a.EmailTokens.verify(token, userRecipient(account, m.Tenant)) == nil {
				return m.Tenant, nil
			}
		}
	}
	return "", a.EmailTokens.verify(token, userRecipient(account, ""))
}
