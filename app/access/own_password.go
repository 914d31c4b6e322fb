package access

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ChangeOwnPassword replaces the password by which the person of a login opens it, with that as it is. All sessions of the password
// end; the answer is a new one. in has the present password. Errors: ErrPasswordWrong, ErrTooManyLogins, fault.ErrValidation for the
// new one, fault.ErrUnauthenticated, fault.ErrUnavailable.
func (a *Service) ChangeOwnPassword(ctx context.Context, in Proof, next string) (Session, error) {
	claims, account, err := a.loginAccount(ctx, in.Token)
	if err != nil {
		return Session{}, err
	}
	if err := a.checkOwnPassword(ctx, in, claims, account); errors.Is(err, ErrPasswordWrong) {
		return Session{}, ErrPasswordWrong.At("currentPassword")
	} else if err != nil {
		return Session{}, err
	}
	alone := claims.Tenant
	if !claims.HomeOnly {
		alone = ""
	}
	hash, err := a.hashNewPassword(ctx, next, account.Email, openedBy(account, alone)...)
	if err != nil {
		return Session{}, err
	}
	if account, err = a.replacePassword(ctx, claims, hash); err != nil {
		return Session{}, err
	}
	member := ports.Membership{Tenant: claims.Tenant, Role: tenant.PlatformAdmin}
	if i := MembershipIndex(account, claims.Tenant); i >= 0 {
		member = account.Memberships[i]
	}
	person, err := a.userRecord(ctx, account, member)
	if err != nil {
		return Session{}, err
	}
	claims.Login, claims.Version = "", opener(account, claims).version
	return a.newSession(ctx, claims, identity.Users, person, device{in.Credentials.Address, in.Credentials.UserAgent})
}

// replacePassword is the account after the password of a login was replaced. Errors: fault.ErrUnauthenticated.
func (a *Service) replacePassword(ctx context.Context, claims ports.TokenClaims, hash string) (account ports.Account, err error) {
	err = a.Store.Atomically(ctx, MembersScope(claims.Tenant), func(ctx context.Context, tx ports.Tx) error {
		if account, err = tx.Accounts.Lock(ctx, claims.Subject); err != nil {
			return err
		}
		if _, err := passwordOf(account, claims); err != nil {
			return err
		}
		if claims.HomeOnly {
			account = WithTenantPassword(account, claims.Tenant, hash, a.Now())
		} else {
			account.PasswordHash = hash
			account.TokenVersion++
		}
		if MembershipIndex(account, claims.Tenant) >= 0 { // platform admins may be logged in to a tenant without a record of theirs
			if err := a.writeUserEvent(ctx, tx, account.ID); err != nil {
				return err
			}
		}
		return tx.Accounts.Save(ctx, account)
	})
	return account, err
}
