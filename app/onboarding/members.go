package onboarding

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MemberInput is a user to be added to a tenant.
type MemberInput struct {
	Email, Name string
	Role        tenant.Role
	Invite      bool // also if nobody has the address
}

// AddedMember is what became of a user to be added.
type AddedMember struct {
	ID         string            // of the new user; "" for an invitation
	Password   string            // of the new user, shown once
	Invitation access.EmailToken // for the operator to pass on, unless the tenant sends it
}

// AddMember makes p a member of a tenant, as POST /users does: a person whom nobody knows gets an account with
// a random password, anybody else is invited. Errors: fault.ErrValidation, ports.ErrDuplicate for a member.
func (f Service) AddMember(ctx context.Context, t tenant.ID, p MemberInput) (done AddedMember, err error) {
	p.Email = strings.ToLower(strings.TrimSpace(p.Email))
	if !collection.ValidEmail(p.Email) {
		return done, fault.Invalidf("email", "%q is not a valid email address.", p.Email)
	}
	password := access.RandomString(20)
	hash, err := f.Passwords.Hash(ctx, password)
	if err != nil {
		return done, err
	}
	user := collection.Record{"email": p.Email, "role": string(p.Role), "name": p.Name}
	err = f.Store.Atomically(ctx, access.MembersScope(t), func(ctx context.Context, tx ports.Tx) error {
		done = AddedMember{}
		if err := access.CheckRole(ctx, tx, string(p.Role)); err != nil {
			return err
		}
		known, err := tx.Accounts.LockByAddress(ctx, p.Email)
		if err != nil {
			return err
		}
		if _, member := access.MemberOf(known, t); member {
			return ports.ErrDuplicate.WithMessage("%s is already a member of this tenant.", p.Email)
		}
		if p.Invite || len(known) > 0 {
			done.Invitation, err = f.Inviter.Invite(ctx, tx, t, user)
			return err
		}
		done.ID, done.Password = f.NewID(), password
		own := access.UserRecord(done.ID, t, p.Role, user)
		if err := tx.Records.Write(ctx, collection.NewChange(identity.Users, nil, own, f.NewID(), f.Now())); err != nil {
			return err
		}
		return tx.Accounts.Save(ctx, access.NewAccount(done.ID, p.Email, hash, ports.Membership{Tenant: t, Role: p.Role}))
	})
	return done, err
}
