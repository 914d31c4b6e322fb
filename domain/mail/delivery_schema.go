package mail

import (
	"cmp"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Deliveries declares the log and the queue of mails and of messages to telephones: one record for each, with its event and recipient. What
// one says is not in it: it is made of the records when it is sent. Changes of it emit no events, since it is about events. Rules: features/mail/RULES.md.
var Deliveries = &collection.Schema{
	Slug: "mail-deliveries", Singular: "MailDelivery", Plural: "MailDeliveries",
	Doc: "A mail to one address, or a message to one telephone, about one thing that happened.",
	Fields: []collection.Field{
		{
			Name: "channel", Kind: collection.Select, Options: channels, Indexed: true,
			Doc: "Whether it is a mail or a message to a telephone.",
		},
		{Name: "kind", Kind: collection.Select, NonNull: true, Options: Kinds, Indexed: true, Doc: "What it tells."},
		{
			Name: "status", Kind: collection.Select, NonNull: true, Options: statuses, Indexed: true,
			Doc: "queued until it is sent, sending while a server is at it, sent once the mail server took it, failed when it was given up, suppressed when it is not to be sent.",
		},
		{Name: "reason", Kind: collection.Select, Options: reasons, Indexed: true, Doc: "Why it failed or is not sent; null otherwise."},
		{Name: "recipient", Kind: collection.Email, Personal: true, Indexed: true, Doc: "The address it goes to; null for a message."},
		{
			Name: "recipientPhone", Kind: collection.Text, Personal: true, Indexed: true, MaxLength: maxNumber,
			Doc: "The number it goes to, as E.164; null for a mail.",
		},
		{Name: "locale", Kind: collection.Text, MaxLength: tenant.MaxLocale, Doc: "Language that the record asks for; null: the shop's."},
		{Name: "collection", Kind: collection.Text, MaxLength: maxName, Doc: "Slug of the collection of the record that it is about."},
		{Name: "record", Kind: collection.Text, Indexed: true, MaxLength: maxName, Doc: "Id of that record."},
		{Name: "event", Kind: collection.Text, MaxLength: maxName, Doc: "Id of the event that it is about."},
		{Name: "occurredAt", Kind: collection.Date, NonNull: true, Doc: "When that happened."},
		{Name: "attempts", Kind: collection.Integer, NonNull: true, Doc: "How often its sending was tried, since somebody last had it sent again."},
		{Name: "nextAttemptAt", Kind: collection.Date, Doc: "When it is tried next; null when it is not."},
		{
			Name: "lastError", Kind: collection.Textarea, Personal: true, MaxLength: maxError, VisibleTo: collection.Staff,
			Doc: "Why the last attempt failed, in the words of the mail server.",
		},
		{Name: "sentAt", Kind: collection.Date, Indexed: true, Doc: "When the mail server took it last; null if it never did."},
		{Name: "endedAt", Kind: collection.Date, Doc: "When it was sent or given up; null before."},
		{
			Name: "resendable", Kind: collection.Boolean, Source: collection.SourceShown,
			Doc: "Whether it can be sent again, or at once if it waits, as far as the delivery tells: what it is about is looked at when it is sent again.",
		},
		{Name: "test", Kind: collection.Boolean, Doc: "Whether it is a test mail, which somebody sent to themselves to see it."},
		{
			Name: "draft", Kind: collection.Group, VisibleTo: collection.ServerOnly, Doc: "What a test mail says, until it is sent.",
			Fields: []collection.Field{
				{Name: "locale", Kind: collection.Text, MaxLength: tenant.MaxLocale, Doc: "Language."},
				{Name: "subject", Kind: collection.Text, Personal: true, MaxLength: MaxSubject, Doc: "Subject."},
				{Name: "body", Kind: collection.Textarea, Personal: true, MaxLength: MaxBody, Doc: "Text."},
				{Name: "order", Kind: collection.Text, MaxLength: maxName, Doc: "Id of the order that it tells of; null: made-up facts."},
			},
		},
		{Name: "round", Kind: collection.Integer, VisibleTo: collection.ServerOnly, Doc: "How often an operator sent it again."},
		{Name: "claim", Kind: collection.Text, VisibleTo: collection.ServerOnly, MaxLength: maxName, Doc: "Who is sending it."},
	},
	Indexes: []collection.Index{
		// what is due of each shop
		{Fields: []string{collection.TenantName, "nextAttemptAt"}, Only: collection.IndexFilter{Field: "nextAttemptAt", Op: collection.Exists, Value: true}},
		// what is removed
		{Fields: []string{"endedAt"}, Only: collection.IndexFilter{Field: "endedAt", Op: collection.Exists, Value: true}},
	},
	UniqueSets:     [][]string{{"event", "kind", "recipient"}},
	ListIndexes:    [][]string{{"status", "createdAt"}},
	PerEnvironment: true, CommandOnly: true, NoDelete: true, NoEvents: true, MaxBytes: 128 << 10,
	Access: collection.Access{Editor: read, Admin: read, SecretKey: read},
}

var read = []collection.Verb{collection.Read}

// Characters of ids and slugs, and of a telephone number.
const (
	maxName   = 100
	maxNumber = 20
)

// Record is d as a record of Deliveries, without the timestamps of the record.
func (d Delivery) Record() collection.Record {
	address, number := d.Recipient, ""
	if d.Channel == ByMessage {
		address, number = "", d.Recipient
	}
	return collection.Record{
		"channel": string(cmp.Or(d.Channel, ByMail)), "recipientPhone": collection.TextOrNull(number),
		"id": d.ID, "tenant": string(d.Tenant), "environment": string(d.Environment), "kind": string(d.Kind), "event": d.Event,
		"collection": d.Collection, "record": d.Subject, "recipient": collection.TextOrNull(address), "locale": collection.TextOrNull(d.Locale),
		"status": string(d.Status), "reason": collection.TextOrNull(string(d.Reason)), "attempts": d.Attempts, "round": d.Round,
		"lastError": collection.TextOrNull(d.LastError), "claim": collection.TextOrNull(d.Claim), "occurredAt": timeOrNull(d.OccurredAt),
		"nextAttemptAt": timeOrNull(d.DueAt), "sentAt": timeOrNull(d.SentAt), "endedAt": timeOrNull(d.EndedAt), "test": d.Test,
		"draft": d.Draft.record(),
	}
}

// record is d as a group; nil for nil.
func (d *Draft) record() any {
	if d == nil {
		return nil
	}
	return collection.Record{"locale": d.Locale, "subject": d.Subject, "body": d.Body, "order": collection.TextOrNull(d.Order)}
}

// Shown is a record of Deliveries as readers see it: it says whether it can be sent again, as far as it tells by itself.
func Shown(r collection.Record) collection.Record {
	r = r.Clone()
	d := DeliveryFrom(r)
	r["resendable"], r["channel"] = d.CheckAgain() == nil, string(d.Channel)
	return r
}

// DeliveryFrom reads what Delivery.Record wrote.
func DeliveryFrom(r collection.Record) Delivery {
	return Delivery{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")), Kind: Kind(r.Text("kind")),
		Event: r.Text("event"), Collection: r.Text("collection"), Subject: r.Text("record"), Recipient: cmp.Or(r.Text("recipientPhone"), r.Text("recipient")),
		Channel: cmp.Or(Channel(r.Text("channel")), ByMail), Locale: r.Text("locale"),
		Status: Status(r.Text("status")), Reason: Reason(r.Text("reason")), Attempts: r.Int("attempts"), Round: r.Int("round"),
		LastError: r.Text("lastError"), Claim: r.Text("claim"), OccurredAt: r.Time("occurredAt"), DueAt: r.Time("nextAttemptAt"),
		SentAt: r.Time("sentAt"), EndedAt: r.Time("endedAt"), Test: r.Bool("test"), Draft: draftFrom(r.Group("draft")),
	}
}

func draftFrom(r collection.Record) *Draft {
	if r == nil {
		return nil
	}
	return &Draft{Locale: r.Text("locale"), Subject: r.Text("subject"), Body: r.Text("body"), Order: r.Text("order")}
}

// Due is the filter of the deliveries that may be claimed at a time.
func Due(now time.Time) collection.Cond {
	s := Deliveries
	return collection.And{
		s.Where("nextAttemptAt", collection.Exists, true), s.Where("nextAttemptAt", collection.LessThanEqual, collection.TruncateTime(now)),
	}
}

// WithToken is the filter of the deliveries whose mails have a link for one person, or of the others. A test mail has none, of
// whichever kind it is.
func WithToken(has bool) collection.Cond {
	s := Deliveries
	if has {
		return collection.And{s.Where("kind", collection.In, tokenKinds...), s.Where("test", collection.NotEquals, true)}
	}
	return collection.Or{s.Where("kind", collection.NotIn, tokenKinds...), s.Where("test", collection.Equals, true)}
}

// TestsThatWait is the filter of the test mails that wait.
func TestsThatWait() collection.Cond {
	s := Deliveries
	return collection.And{s.Where("nextAttemptAt", collection.Exists, true), s.Where("test", collection.Equals, true)}
}

// TestsOf is the filter of the test mails that a user wanted since a time.
func TestsOf(user string, since time.Time) collection.Cond {
	s := Deliveries
	return collection.And{
		s.Where("record", collection.Equals, user), s.Where("test", collection.Equals, true),
		s.Where("createdAt", collection.GreaterThan, collection.TruncateTime(since)),
	}
}

// Expired is the filter of the deliveries that are removed at a time.
func Expired(now time.Time) collection.Cond {
	s := Deliveries
	return collection.And{
		s.Where("endedAt", collection.Exists, true), s.Where("endedAt", collection.LessThan, collection.TruncateTime(now.Add(-KeepFor))),
	}
}

func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return collection.TruncateTime(t)
}
