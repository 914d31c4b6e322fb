package team

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The kinds of notifications.
const (
	Mentioned = "mentioned"
	Assigned  = "assigned"
)

// ErrNotRecipient says that a notification is for somebody else.
var ErrNotRecipient = fault.New(fault.Forbidden, "notification_of_another", "Only whom a notification is for marks it as read.")

// Notifications declares what users are told: that they are mentioned, or put on something. The shop mails those that have an
// address, by a webhook endpoint that names the collection, as it mails the tokens of users. Rule team-9, Decision 66.
var Notifications = &collection.Schema{
	Slug: "notifications", Singular: "Notification", Plural: "Notifications",
	Doc: "What a user of the shop is told.",
	Fields: []collection.Field{
		{Name: "recipient", Kind: collection.Relation, RelationTo: "users", Indexed: true, Doc: "Whom it is for."},
		{
			Name: "kind", Kind: collection.Select, Options: notificationKinds(), Indexed: true,
			Doc: "mentioned in a comment, assigned to a record, or something about the shop: stock that is low, a payment that requires attention, a return that was requested, a customer who asks to be erased, an order that was placed.",
		},
		{
			Name: "collection", Kind: collection.Text, MaxLength: maxID,
			Doc: "Slug of the collection of the record that it is about; of several, of the last one.",
		},
		{Name: "record", Kind: collection.Text, Indexed: true, MaxLength: maxID, Doc: "Id of the record that it is about; null where it is about several."},
		{Name: "count", Kind: collection.Integer, Doc: "How many it is about, where they are told together; null for one."},
		{Name: "comment", Kind: collection.Relation, RelationTo: "comments", Indexed: true, Doc: "The comment that mentions them; null for none."},
		{Name: "author", Kind: collection.Group, Fields: authorFields, Doc: "Who mentioned or assigned them."},
		{Name: "mailTo", Kind: collection.Email, Doc: "Where the shop mails it to; null if they want no mail about this."},
		{Name: "seen", Kind: collection.Boolean, Default: false, Patchable: true, Indexed: true, Doc: "Whether they have seen it, which they say themselves."},
		{
			Name: "key", Kind: collection.Text, VisibleTo: collection.ServerOnly, MaxLength: 200,
			Doc: "What happened: each is told once.",
		},
	},
	UniqueSets:     [][]string{{"recipient", "key"}},
	ListIndexes:    [][]string{{"recipient", "seen"}},
	PerEnvironment: true, CommandOnly: true, NoDelete: true,
	Access: collection.Access{Viewer: patch, Editor: patch, Admin: patch, SecretKey: read},
}

// notificationKinds are all kinds.
func notificationKinds() []string {
	kinds := []string{Mentioned, Assigned}
	for _, n := range Notices {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

// SeenFor is how long a notification is kept after it was seen.
const SeenFor = 90 * 24 * time.Hour

var patch = []collection.Verb{collection.Read, collection.Update}

// Cause is what users are told of.
type Cause struct {
	Kind               string // Mentioned or Assigned, or one of Notices
	Collection, Record string
	Comment            string // its id, or ""
	By                 tenant.Actor
	Key                string // the same for the same occasion
}

// Recipients are those of users who are told: not who did it.
func (c Cause) Recipients(users []string) []string {
	return slices.DeleteFunc(slices.Clone(users), func(id string) bool { return c.By.Kind == tenant.User && c.By.ID == id })
}

// Put writes the notification of a user into a new record of Notifications. address is theirs, "" if they are not to be mailed.
func (c Cause) Put(r collection.Record, user, address string) {
	r["recipient"], r["kind"], r["collection"] = user, c.Kind, c.Collection
	if c.Record != "" {
		r["record"] = c.Record
	}
	r["author"], r["key"], r["seen"] = AuthorRecord(c.By), c.Key, false
	if c.Comment != "" {
		r["comment"] = c.Comment
	}
	if address != "" {
		r["mailTo"] = address
	}
}

// CheckRecipient refuses to mark a notification of somebody else. Errors: ErrNotRecipient.
func CheckRecipient(notification collection.Record, by tenant.Principal) error {
	if by.Kind == tenant.System || by.Kind == tenant.User && notification.Text("recipient") == by.ID {
		return nil
	}
	return ErrNotRecipient
}
