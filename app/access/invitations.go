package access

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of invitations.
var (
	ErrInvitationOther = fault.New(fault.Forbidden, "invitation_for_another",
		"This invitation is for another email address. Log in as that person, or choose a password.")
	ErrInvitationLogin = fault.New(fault.Forbidden, "invitation_login_required",
		"This role needs an account whose address the installation has proven: log in with it, and accept then.")
	ErrInvitationClosed = fault.New(fault.Conflict, "invitation_closed", "This invitation was accepted, was revoked or has expired.")
)

// Inviter makes invitations. Rule access-34.
type Inviter struct {
	EmailTokens EmailTokens
	NewID       func() string
	Now         func() time.Time
}

// Invite stores an invitation to tenant t, of a record with email, role and profile fields, in place of the open
// one for the address. Its token goes with the event; that of a platform admin with the server's own mail alone, since nobody
// who reads the tenant's deliveries may become one. The result is for EmailTokens.NotifyIssued after the transaction.
func (v Inviter) Invite(ctx context.Context, tx ports.Tx, t tenant.ID, user collection.Record) (EmailToken, error) {
	now := collection.TruncateTime(v.Now())
	email := user.Text("email")
	changes, err := v.revokeOpen(ctx, tx, email, now)
	if err != nil {
		return EmailToken{}, err
	}
	fresh := collection.Record{
		"id": v.NewID(), "tenant": string(t), "email": email, "role": user.Text("role"), "expiresAt": now.Add(identity.InvitationLifetime),
	}
	if by := ports.ActorOf(ctx); by.Kind == tenant.User {
		fresh["invitedBy"] = by.ID
	}
	for _, name := range identity.ProfileFields {
		if text := user.Text(name); text != "" {
			fresh[name] = text
		}
	}
	change := collection.NewChange(identity.Invitations, nil, fresh, v.NewID(), now)
	if err := tx.Records.Write(ctx, append(changes, change)...); err != nil {
		return EmailToken{}, err
	}
	to := invitationRecipient(fresh)
	to.requestedAt = now
	if fresh.Text("role") == string(tenant.PlatformAdmin) {
		return v.EmailTokens.attachToMail(ctx, tx, change.EventID, to)
	}
	return v.EmailTokens.attach(ctx, tx, change.EventID, to)
}

// revokeOpen are the changes that revoke the open invitations for an address.
func (v Inviter) revokeOpen(ctx context.Context, tx ports.Tx, email string, now time.Time) (changes []collection.Change, err error) {
	s := identity.Invitations
	found, err := tx.Records.Find(ctx, collection.Query{
		Schema: s, Limit: collection.MaxLimit, Page: 1, SkipCount: true,
		Where: collection.And{s.Where("email", collection.Equals, email), s.Where("expiresAt", collection.GreaterThan, now)},
	})
	if err != nil {
		return nil, err
	}
	for _, r := range found.Docs {
		if identity.IsOpen(r, now) {
			after := r.Clone()
			after["revokedAt"] = now
			changes = append(changes, collection.NewChange(s, r, after, v.NewID(), now))
		}
	}
	return changes, nil
}

// RevokeInvitation revokes an open invitation, once. It responds with {id, message, doc}. Errors:
// fault.ErrForbidden, fault.ErrNotFound, ErrInvitationClosed for an accepted one.
func (a *Service) RevokeInvitation(ctx context.Context, call idempotency.Call, id string) (answer idempotency.Response, err error) {
	p := call.Principal
	if _, err := Allowed(p, identity.Invitations, collection.Delete); err != nil {
		return idempotency.Response{}, err
	}
	err = a.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.Invitations, id)
		if err == nil && !before.Time("acceptedAt").IsZero() {
			err = ErrInvitationClosed
		}
		if err != nil {
			return err
		}
		after, err := a.revoke(ctx, tx, identity.Invitations, before)
		answer = idempotency.Response{
			Result: ports.ReceiptOK, RequestID: call.RequestID, Sequence: after.Sequence(), Body: reply.Of(collection.Staff,
				reply.Member{Name: "id", Value: id}, reply.Member{Name: "message", Value: "Invitation revoked."},
				reply.Member{Name: "doc", Schema: identity.Invitations, Record: after}),
		}
		return err
	})
	return answer, err
}

// Invitation is the invitation that a token is for, and the tenant. Whether the person has an account does not
// show. Errors: ErrEmailToken.
func (a *Service) Invitation(ctx context.Context, token string) (invitation, shop collection.Record, err error) {
	invitation, err = a.findInvitation(ctx, token)
	if err != nil {
		return nil, nil, err
	}
	t := tenant.ID(invitation.Text("tenant"))
	shop, err = a.Store.Read(ports.ForTenant(t)).Get(ctx, identity.Tenants, string(t))
	return invitation, shop, err
}

// findInvitation finds the open invitation that a token was issued for. Errors: ErrEmailToken.
func (a *Service) findInvitation(ctx context.Context, token string) (collection.Record, error) {
	id, _, _, err := PurposeInvite.parse(token)
	if err != nil {
		return nil, err
	}
	s := identity.Invitations
	found, err := a.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Where: s.Where("id", collection.Equals, id), Limit: 1, Page: 1, SkipCount: true,
	})
	if err == nil && len(found.Docs) == 0 {
		err = ErrEmailToken
	}
	if err != nil {
		return nil, err
	}
	return found.Docs[0], a.verifyInvitation(token, found.Docs[0], nil)
}

// verifyInvitation checks that token was issued for the invitation, and that it is open; err is the error of
// looking it up. Errors: ErrEmailToken.
func (a *Service) verifyInvitation(token string, invitation collection.Record, err error) error {
	if err == nil && !identity.IsOpen(invitation, a.Now()) || errors.Is(err, ports.ErrNotFound) {
		return ErrEmailToken
	}
	if err != nil {
		return err
	}
	return a.EmailTokens.verify(token, invitationRecipient(invitation))
}

// Acceptance is an attempt to accept an invitation: with a password, or logged in.
type Acceptance struct {
	Token     string
	Password  string           // "": logged in
	Principal tenant.Principal // of the login, or anonymous
	Login     string           // token of the login
	ClientIP  string           // of the client
	UserAgent string           // of the client
}

// AcceptInvitation makes the person a member of the tenant that invited them, and opens a session there.
//
// With a password, the account is bound to the tenant, since those who read its deliveries could have chosen it:
// other accounts of the address stay what they are. Logged in with a password that counts everywhere, the
// account gets another membership. Logged in with the password of another tenant, this login may act in the new
// tenant too, but the password does not open it: that tenant's admin may know it. Decision 37. Errors:
// ErrEmailToken, ErrInvitationOther, ErrInvitationLogin, ports.ErrDuplicate for a member, fault.ErrValidation.
func (a *Service) AcceptInvitation(ctx context.Context, in Acceptance) (Session, error) {
	invitation, err := a.findInvitation(ctx, in.Token)
	if err != nil {
		return Session{}, err
	}
	var who acceptor
	if in.Password != "" {
		who.hash, err = a.hashNewPassword(ctx, in.Password, invitation.Text("email"), tenant.ID(invitation.Text("tenant")))
	} else {
		who, err = a.acceptorOf(ctx, in, invitation)
	}
	if err != nil {
		return Session{}, err
	}
	t := tenant.ID(invitation.Text("tenant"))
	var account ports.Account
	err = a.Store.Atomically(ctx, MembersScope(t), func(ctx context.Context, tx ports.Tx) (err error) {
		account, err = a.accept(ctx, tx, in.Token, invitation, who)
		return err
	})
	if err != nil {
		return Session{}, err
	}
	m := account.Memberships[MembershipIndex(account, t)]
	return a.newUserSession(ctx, loginCandidate{
		credential: credentialFor(account, m), account: account, member: m, proven: who.proven,
	}, device{in.ClientIP, in.UserAgent})
}

// acceptor is who accepts an invitation: somebody with a password for the tenant alone, or an account.
type acceptor struct {
	hash    string // of the password
	account string // id of an account whose password counts everywhere
	login   string // that accepts with the password of another tenant
	proven  bool   // the login proved a second factor of the account
}

// acceptorOf is the person who is logged in. Errors: ErrInvitationOther, fault.ErrValidation for nobody.
func (a *Service) acceptorOf(ctx context.Context, in Acceptance, invitation collection.Record) (acceptor, error) {
	if in.Principal.Kind != tenant.User {
		return acceptor{}, fault.Invalidf("password", "Choose a password, or log in first.")
	}
	claims, err := a.readClaims(ctx, in.Login)
	if err != nil {
		return acceptor{}, err
	}
	account, err := a.Accounts.ByID(ctx, claims.Subject)
	switch {
	case err != nil:
		return acceptor{}, err
	case account.Email != invitation.Text("email"):
		return acceptor{}, ErrInvitationOther
	case claims.HomeOnly:
		return acceptor{login: claims.Login}, nil
	}
	return acceptor{account: account.ID, proven: claims.SecondFactor}, nil
}

// accept stores the membership, the user's record and the end of the invitation.
func (a *Service) accept(
	ctx context.Context, tx ports.Tx, token string, invitation collection.Record, who acceptor,
) (ports.Account, error) {
	t, email := tenant.ID(invitation.Text("tenant")), invitation.Text("email")
	known, err := tx.Accounts.LockByAddress(ctx, email)
	if err != nil {
		return ports.Account{}, err
	}
	before, err := tx.Records.Lock(ctx, identity.Invitations, invitation.ID())
	if err := a.verifyInvitation(token, before, err); err != nil {
		return ports.Account{}, err
	}
	if _, member := MemberOf(known, t); member {
		return ports.Account{}, ErrAlreadyMember
	}
	account, err := a.accountOf(who, known, email, ports.Membership{Tenant: t, Role: tenant.Role(before.Text("role")), Login: who.login})
	if err != nil {
		return ports.Account{}, err
	}
	after := before.Clone()
	after["acceptedAt"] = collection.TruncateTime(a.Now())
	change, err := a.newUserChange(ctx, tx, account.ID, t, before)
	if err != nil {
		return ports.Account{}, err
	}
	if err := tx.Records.Write(ctx, collection.NewChange(identity.Invitations, before, after, a.NewID(), a.Now()), change); err != nil {
		return ports.Account{}, err
	}
	return account, tx.Accounts.Save(ctx, account)
}

// ErrAlreadyMember refuses to make a member of a tenant a member again.
var ErrAlreadyMember = ports.ErrDuplicate.WithFields(fault.Field{Field: "email", Message: "This user is already a member of the tenant."})

// accountOf is the account of who accepts, with the new membership, among the known ones of the address.
// Errors: ErrInvitationLogin, ErrInvitationOther when the account has another address by now.
func (a *Service) accountOf(who acceptor, known []ports.Account, email string, m ports.Membership) (ports.Account, error) {
	if who.account == "" {
		if m.Role == tenant.PlatformAdmin {
			return ports.Account{}, ErrInvitationLogin
		}
		return NewAccount(a.NewID(), email, who.hash, m), nil
	}
	i := slices.IndexFunc(known, func(account ports.Account) bool { return account.ID == who.account && account.Home == "" })
	if i < 0 {
		return ports.Account{}, ErrInvitationOther
	}
	account := known[i]
	account.Memberships = append(slices.Clone(account.Memberships), m)
	return account, nil
}

// newUserChange creates the record of a user of tenant t, with what the tenant entered in from.
func (a *Service) newUserChange(
	ctx context.Context, tx ports.Tx, id string, t tenant.ID, from collection.Record,
) (collection.Change, error) {
	gone, err := tx.Records.Deleted(ctx, []string{id}) // the user may have been a member before
	role := tenant.Role(from.Text("role"))
	return collection.NewChange(identity.Users, nil, UserRecord(id, t, role, from), a.NewID(), a.Now()).ContinuingFrom(gone[id]), err
}

// UserRecord is the record of a new user of tenant t, with the address and profile fields of from.
func UserRecord(id string, t tenant.ID, role tenant.Role, from collection.Record) collection.Record {
	own := collection.Record{"id": id, "tenant": string(t), "email": from.Text("email"), "role": string(role), "signals": int64(0)}
	SetMembership(own, t, role)
	for _, name := range identity.ProfileFields {
		if text := from.Text(name); text != "" {
			own[name] = text
		}
	}
	identity.FillDisplayName(nil, own)
	return own
}
