package access

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/ports"
)

// SealedFactors is the state of the secrets of authenticator apps, which are sealed.
type SealedFactors struct {
	Checked    int      // accounts that have any
	Outdated   int      // of those, sealed with an older secret of the server; RotateFactorSeals has resealed them
	Unreadable []string // ids of accounts whose secret no configured secret opens
}

const sealedBatch = 200

// CheckFactorSeals opens every secret of an authenticator app, and changes nothing.
func (a *Service) CheckFactorSeals(ctx context.Context) (SealedFactors, error) {
	return a.eachSealedAccount(ctx, func(context.Context, string) error { return nil })
}

// RotateFactorSeals reseals what an older secret of the server sealed, one account per transaction, so that it can be stopped
// and run again at any time.
func (a *Service) RotateFactorSeals(ctx context.Context) (SealedFactors, error) {
	return a.eachSealedAccount(ctx, func(ctx context.Context, id string) error {
		err := a.changeAccount(ctx, id, func(_ context.Context, _ ports.Tx, account ports.Account) (ports.Account, error) {
			account, _, err := a.resealed(account)
			return account, err
		})
		if errors.Is(err, ErrChallengeInvalid) {
			return nil // deleted meanwhile
		}
		return err
	})
}

// eachSealedAccount examines the accounts with second factors, and calls outdated for those to be resealed.
func (a *Service) eachSealedAccount(ctx context.Context, outdated func(context.Context, string) error) (found SealedFactors, err error) {
	for after := ""; ; {
		all, err := a.Accounts.WithSecondFactors(ctx, after, sealedBatch)
		if err != nil {
			return found, err
		}
		for _, account := range all {
			after = account.ID
			if account.SecondFactors.TOTP == nil && account.SecondFactors.PendingTOTP == nil {
				continue // passkeys are no secrets
			}
			_, changed, err := a.resealed(account)
			found.Checked++
			switch {
			case err != nil:
				found.Unreadable = append(found.Unreadable, account.ID)
			case changed:
				found.Outdated++
				if err := outdated(ctx, account.ID); err != nil {
					return found, err
				}
			}
		}
		if len(all) < sealedBatch {
			return found, nil
		}
	}
}

// resealed is the account with its secrets sealed with the newest secret of the server, and whether any was not.
func (a *Service) resealed(account ports.Account) (_ ports.Account, changed bool, err error) {
	for _, f := range []**ports.TOTP{&account.SecondFactors.TOTP, &account.SecondFactors.PendingTOTP} {
		if *f == nil {
			continue
		}
		plain, err := a.Vault.Open(totpLabel(account.ID), (*f).Secret)
		if err != nil {
			return account, false, err
		}
		if _, newest := a.Vault.Version((*f).Secret); newest {
			continue
		}
		fresh := **f
		if fresh.Secret, err = a.Vault.Seal(totpLabel(account.ID), plain); err != nil {
			return account, false, err
		}
		*f, changed = &fresh, true
	}
	return account, changed, nil
}
