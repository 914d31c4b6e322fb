package access

import (
	"context"
	"net/url"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrInvitationMailed refuses to show the link of a platform admin's invitation: its token is for its mail alone (Inviter.Invite).
var ErrInvitationMailed = fault.New(fault.Forbidden, "invitation_mailed_only",
	"The link of a platform admin's invitation is shown to nobody but the person: it is mailed, or passed on by the operator of the server.")

// InvitationPage is the page of a server's console that takes the token of an invitation.
func InvitationPage(server, token string) string {
	return server + "/console/invitation?token=" + url.QueryEscape(token)
}

// InvitationLink is the link of an open invitation, for those who invite to pass it on where it is not mailed. It opens nothing that
// they could not open: an account with a password of its own in their shop alone. The invitation keeps when it was shown, and its
// timeline to whom. Errors: fault.ErrForbidden, ports.ErrNotFound, ErrInvitationClosed, ErrInvitationMailed.
func (a *Service) InvitationLink(ctx context.Context, p tenant.Principal, id, server string) (string, error) {
	for _, may := range []struct {
		schema *collection.Schema
		verb   collection.Verb
	}{{identity.Invitations, collection.Read}, {identity.Users, collection.Create}} {
		if _, err := Allowed(p, may.schema, may.verb); err != nil {
			return "", err
		}
	}
	var found collection.Record
	err := a.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) (err error) {
		if found, err = tx.Records.Lock(ctx, identity.Invitations, id); err != nil {
			return err
		}
		switch {
		case !identity.IsOpen(found, a.Now()):
			return ErrInvitationClosed
		case found.Text("role") == string(tenant.PlatformAdmin):
			return ErrInvitationMailed
		}
		shown := found.Clone()
		shown["linkShownAt"] = collection.TruncateTime(a.Now())
		return tx.Records.Write(ctx, collection.NewChange(identity.Invitations, found, shown, a.NewID(), a.Now()))
	})
	if err != nil {
		return "", err
	}
	to := invitationRecipient(found)
	to.requestedAt = found.Time("expiresAt").Add(-identity.InvitationLifetime)
	issued, err := a.EmailTokens.issue(to)
	return InvitationPage(server, issued.Token), err
}
