package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	invitationToken = collection.Field{Name: "token", Alias: "token", Kind: collection.Text, Doc: "The token from the email."}
	invitationParam = collection.Field{
		Name: "id", Alias: "userInvitationId", Kind: collection.Relation, RelationTo: identity.Invitations.Slug, Doc: "The invitation.",
	}
	invitationOutput = []collection.Field{
		{Name: "email", Kind: collection.Text, Required: true, Doc: "Address that was invited."},
		{Name: "role", Kind: collection.Text, Required: true, Doc: "Role that the person will have."},
		{Name: "tenantId", Kind: collection.Text, Required: true, Doc: "Id of the tenant."},
		{Name: "tenantName", Kind: collection.Text, Required: true, Doc: "Name of the tenant."},
		{Name: "expiresAt", Kind: collection.Date, Required: true, Doc: "When the invitation expires."},
	}
	invitationLinkOutput = []collection.Field{
		{Name: "link", Kind: collection.Text, Required: true, Doc: "Address of the page that takes the invitation."},
	}
	revokedInvitation = []collection.Field{
		{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the invitation."},
		{Name: "message", Kind: collection.Text, Required: true, Doc: "Human-readable message."},
		{Name: "doc", Kind: collection.Relation, RelationTo: identity.Invitations.Slug, Required: true, Doc: "The invitation."},
	}
)

// Invitations are the operations of invitations of a server at baseURL: those who have a token read and accept one, admins of the
// tenant revoke it, and pass its link on where it is not mailed. Rule access-34.
func Invitations(a *access.Service, baseURL string) []Operation {
	users := sessions{a, tenant.User, identity.Users, "user"}
	return []Operation{
		{
			Name: "invitations.get", GraphQL: "invitation", Summary: "Read an invitation",
			Doc:    "The token is the credential. Whether the address has an account does not show.",
			Method: get, Path: "/invitations/{token}", Surfaces: Root, Credentials: CredentialsOptional,
			AllowedKinds: []tenant.Kind{tenant.Anonymous, tenant.ClientKey, tenant.User}, Params: []collection.Field{invitationToken},
			Output: invitationOutput, Reasons: []*fault.Error{access.ErrEmailToken},
			Run: func(ctx context.Context, _ idempotency.Call, in *Input) (idempotency.Response, error) {
				invitation, shop, err := a.Invitation(ctx, in.Param("token"))
				return respondWith(collection.Everyone, err, value("email", invitation.Text("email")), value("role", invitation.Text("role")),
					value("tenantId", shop.ID()), value("tenantName", shop.Text("name")),
					value("expiresAt", invitation.Time("expiresAt").UTC().Format(collection.TimeFormat)))
			},
		},
		users.acceptInvitation(),
		{
			Name: "userInvitations.delete", GraphQL: "userInvitationRevoke", Summary: "Revoke an invitation", Doc: "The record is kept.",
			Method: del, Path: "/user-invitations/{id}", Mutates: true, Surfaces: Root, KeyPolicy: KeyOptional,
			AllowedKinds: []tenant.Kind{tenant.User}, Params: []collection.Field{invitationParam}, Output: revokedInvitation,
			Reasons: []*fault.Error{access.ErrInvitationClosed}, Run: byID(a.RevokeInvitation),
		},
		{
			Name: "userInvitations.link", GraphQL: "userInvitationLink", Summary: "Show the link of an invitation",
			Doc: "For those who may invite, to pass it on to the person where it is not mailed. Whoever has the link accepts the invitation. " +
				"That of a platform admin is not shown here. The invitation's timeline tells who was shown it.",
			Method: "POST", Path: "/user-invitations/{id}/link", Mutates: true, Guarded: true, Surfaces: Root,
			AllowedKinds: []tenant.Kind{tenant.User}, Params: []collection.Field{invitationParam}, Output: invitationLinkOutput,
			Reasons: []*fault.Error{access.ErrInvitationClosed, access.ErrInvitationMailed, ports.ErrNotFound},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				link, err := a.InvitationLink(ctx, call.Principal, in.Param("id"), baseURL)
				return respond(invitationLinkOutput, collection.Record{"link": link}, err)
			},
		},
	}
}

// acceptInvitation makes the person a user of the tenant, and logs them in there.
func (s sessions) acceptInvitation() Operation {
	return Operation{
		Name: "invitations.accept", GraphQLField: &GraphQLField{Name: "acceptInvitation", Result: "usersAcceptInvitation"},
		Summary: "Accept an invitation", Mutates: true,
		Doc:    "Logged in as the person who was invited, or with a password, which counts in this tenant alone.",
		Method: "POST", Path: "/invitations/{token}/accept", Surfaces: Root, Credentials: CredentialsOptional,
		AllowedKinds: []tenant.Kind{tenant.Anonymous, tenant.ClientKey, tenant.User}, SetsCookie: true, ChecksPassword: true,
		Params: []collection.Field{invitationToken},
		Input:  []collection.Field{{Name: "password", Kind: collection.Text, Doc: "The password to choose; nobody needs to be logged in then."}},
		Output: s.sessionMembers(),
		Reasons: []*fault.Error{
			access.ErrEmailToken, access.ErrInvitationOther, access.ErrInvitationLogin, access.ErrAlreadyMember, fault.ErrUnauthenticated,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			acceptance := access.Acceptance{Token: in.Param("token"), Password: in.Text("password"), ClientIP: call.Address}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			acceptance.UserAgent = in.Credentials.UserAgent
			if acceptance.Password == "" && (in.Credentials.Bearer != "" || in.Credentials.Cookie != "") {
				token, err := s.token(call, in)
				if err != nil {
					return idempotency.Response{}, err
				}
				acceptance.Principal, acceptance.Login = call.Principal, token
			}
			session, err := s.access.AcceptInvitation(ctx, acceptance)
			if err != nil {
				return idempotency.Response{}, err
			}
			return s.respondSession(ctx, in, "Invitation accepted.", session)
		},
	}
}
