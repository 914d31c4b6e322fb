package identity

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// InvitationLifetime is how long an invitation can be accepted.
const InvitationLifetime = 7 * 24 * time.Hour

// Invitations is the collection of invitations to become a user of a tenant. Creating a user makes one, the
// person accepts it, and deleting one revokes it. Rule access-34, Decision 37.
var Invitations = &collection.Schema{
	Slug: "user-invitations", Singular: "UserInvitation", Plural: "UserInvitations", CommandOnly: true,
	Doc:    "An invitation to become a user of this tenant. The person accepts it with a token that is sent to the address.",
	Access: collection.Access{Admin: []collection.Verb{collection.Read, collection.Delete}, SecretKey: read},
	Fields: append([]collection.Field{
		{Name: "email", Kind: collection.Email, Required: true, Indexed: true, Doc: "Address of the person."},
		{
			Name: "role", Kind: collection.Text, Required: true, Indexed: true, MaxLength: tenant.MaxRoleSlug,
			Doc: "Role that the person will have in this tenant.",
		},
		{Name: "expiresAt", Kind: collection.Date, ReadOnly: true, Indexed: true, Doc: "When the invitation expires."},
		{Name: "acceptedAt", Kind: collection.Date, ReadOnly: true, Indexed: true, Doc: "When the person accepted it."},
		{
			Name: "invitedBy", Kind: collection.Relation, RelationTo: "users", ReadOnly: true, VisibleTo: collection.Staff,
			Doc: "The user who invited them; null for a key and the server.",
		},
		{Name: "revokedAt", Kind: collection.Date, ReadOnly: true, Indexed: true, Doc: "When it was revoked, or replaced by a newer one."},
		{
			Name: "linkShownAt", Kind: collection.Date, ReadOnly: true, VisibleTo: collection.Staff,
			Doc: "When somebody who invites was last shown its link; null if nobody was.",
		},
	}, profileFields()...),
}

// profileFields are what a shop enters about a user; no other shop is shown it.
func profileFields() []collection.Field {
	return []collection.Field{
		{Name: "firstName", Kind: collection.Text, VisibleTo: collection.Staff, MaxLength: 255, Doc: "First name."},
		{Name: "lastName", Kind: collection.Text, VisibleTo: collection.Staff, MaxLength: 255, Doc: "Last name."},
		{Name: "name", Kind: collection.Text, MaxLength: 255, Doc: "Display name; made of the first and last name unless given."},
		{Name: "picture", Kind: collection.Upload, Doc: "Portrait."},
	}
}

// ProfileFields are the names of the fields that a shop enters about a user.
var ProfileFields = []string{"firstName", "lastName", "name", "picture"}

// IsOpen reports whether an invitation can still be accepted at now.
func IsOpen(invitation collection.Record, now time.Time) bool {
	return invitation.Time("acceptedAt").IsZero() && invitation.Time("revokedAt").IsZero() && now.Before(invitation.Time("expiresAt"))
}
