package identity

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// GuestErasures is the collection of the erasures of people without an account: each stands for its person in one environment. While
// it goes on it has the address by which their purchases are found; then the address of the erasure itself (collection.ErasedEmail), which these
// purchases have, too. It makes no events: they would tell the address. Rules access-63, access-64.
var GuestErasures = &collection.Schema{
	Slug: "guest-erasures", Singular: "GuestErasure", Plural: "GuestErasures",
	Doc:            "The erasure of what somebody without an account left in an environment, by their email address.",
	PerEnvironment: true, CommandOnly: true, NoDelete: true, NoEvents: true,
	Access: collection.Access{Editor: read, Admin: read, SecretKey: read},
	Indexes: []collection.Index{ // erasures that are under way are watched across tenants
		{Fields: []string{"erasingSince"}, Only: collection.IndexFilter{Field: "erasingSince", Op: collection.Exists, Value: true}},
	},
	Fields: []collection.Field{
		{
			Name: "email", Kind: collection.Email, Personal: true, Required: true, Unique: true, Indexed: true,
			Doc: "Address of the person while they are being erased; then the one that takes its place in their orders, checkouts and drafts.",
		},
		{
			Name: "erasingSince", Kind: collection.Date, ReadOnly: true,
			Doc: "Since when what the person left is being erased; null once it is done.",
		},
		{Name: "erasedAt", Kind: collection.Date, ReadOnly: true, Indexed: true, Doc: "When the last of it was erased; null before."},
		{
			Name: "erasedBy", Kind: collection.Text, ReadOnly: true, MaxLength: 64,
			Doc: "Id of the user or secret key that had the person erased.",
		},
		{
			Name: "erasureReason", Kind: collection.Text, ReadOnly: true, MaxLength: MaxErasureReason,
			Doc: "Why. It stays, so it should name nobody.",
		},
	},
}

// NewGuestErasure is the erasure id of a guest of an environment, not begun.
func NewGuestErasure(id string, t tenant.ID, env tenant.Environment, email string) collection.Record {
	return collection.Record{"id": id, "tenant": string(t), "environment": string(env), "email": email}
}

// BeginGuestErasure is an erasure that begins at now, because by (an id) wanted it. Of one that was done before it keeps when.
func BeginGuestErasure(erasure collection.Record, by, reason string, now time.Time) collection.Record {
	out := erasure.Clone()
	out["erasingSince"] = collection.TruncateTime(now)
	out["erasedBy"], out["erasureReason"] = collection.TextOrNull(by), collection.TextOrNull(reason)
	return out
}

// EndGuestErasure is an erasure that is done, and no longer says of whom.
func EndGuestErasure(erasure collection.Record, now time.Time) collection.Record {
	out, _ := GuestErasures.Redact(erasure)
	out = out.Clone()
	delete(out, "erasingSince")
	out["erasedAt"] = collection.TruncateTime(now)
	return out
}
