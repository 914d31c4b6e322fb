// Package webhook is what shops are told of their records: which endpoint hears of which change, what a delivery is, when
// it is tried again, and when an endpoint is left alone. It knows no time, no network and no database.
//
// Decisions beyond the contract:
//
//   - An endpoint and an event have one delivery, whose id is the webhook-id of all its attempts: retries, redeliveries and
//     replays included, so that consumers can tell what they have seen.
//   - An endpoint hears of the events that were numbered after it was made, or last switched on. A replay brings others.
//   - An endpoint hears of nothing that those could not read who made it, or have changed since what it hears or where: its
//     audience is the weaker of all of them. Tokens go with what it names and may hear; those of users to endpoints of real
//     business alone. What is pending is looked at once more when it is sent, as its endpoint may have changed hands.
//   - An attempt fails unless its answer is 2xx. A redirect is not followed. An answer of 410 switches the endpoint off, and
//     so do three days of nothing but failures. Retry-After of 429 and 503 makes the next attempt later, never earlier, and
//     by a day at most. Jitter makes attempts up to a fifth later than the published schedule, never earlier.
//   - A delivery that is due while its endpoint is off or gone is discarded; so is one that has not got through when its event
//     is three days old. Both say why, and a replay brings them back.
//   - A test is one attempt: it is not repeated, tells nothing about the health of its endpoint, and reaches one that is off,
//     so that it can be tried before it is switched on.
//   - The cap of a plan counts all endpoints of a tenant, of both environments, on or off.
package webhook

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// The refusals of what operators ask for.
var (
	ErrLimit    = fault.New(fault.Unprocessable, "webhook_endpoint_limit", "The plan of this shop allows no further webhook endpoint.")
	ErrDisabled = fault.New(fault.Conflict, "webhook_endpoint_disabled", "The webhook endpoint is switched off. Switch it on first.")
	ErrGone     = fault.New(fault.Conflict, "webhook_event_gone", "What happened is not kept any more, so that it cannot be delivered again.")
	ErrOrphan   = fault.New(fault.Conflict, "webhook_endpoint_deleted", "The webhook endpoint of this delivery was deleted.")
)

var (
	read       = []collection.Verb{collection.Read}
	all        = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	operations = []string{string(collection.Created), string(collection.Updated), string(collection.Deleted)}
)

// MaxURL is how many characters an address has at most.
const MaxURL = 2000

// Endpoints is the collection of the places that are told. Made, rotated and deleted by operations; the rest is free. Its
// secrets are sealed before they are stored. Contract 10.
var Endpoints = &collection.Schema{
	Slug: "webhook-endpoints", Singular: "WebhookEndpoint", Plural: "WebhookEndpoints",
	Doc: "An address that is told of changes to records, by signed requests.",
	Fields: []collection.Field{
		{Name: "url", Kind: collection.Text, Required: true, Free: true, MaxLength: MaxURL, Web: collection.WebPage, Doc: "Where deliveries go: https, or http where the installation allows it; without user, password or fragment."},
		{Name: "collections", Kind: collection.Texts, Free: true, Doc: "Slugs of the collections it hears of; empty: all that its audience may read. Only what the caller may read can be named."},
		{Name: "operations", Kind: collection.Selects, Options: operations, Free: true, Doc: "What it hears of them; empty: all."},
		{Name: "audience", Kind: collection.Select, Options: []string{string(Admins), string(Servers)}, Owned: true, Doc: "As whom it hears: of all that admins may read, or of what the secret keys of the shop may. A key that makes it, changes its url, collections or operations, or switches it on, makes it server for good."},
		{Name: "description", Kind: collection.Textarea, Free: true, MaxLength: 1000, Doc: "Note for operators."},
		{Name: "enabled", Kind: collection.Boolean, Default: true, Free: true, Indexed: true, Doc: "Whether it is told. It hears of nothing that happens while it is off."},
		{Name: "disabledAt", Kind: collection.Date, Owned: true, Doc: "Since when it is off; null while it is on."},
		{Name: "disabledReason", Kind: collection.Select, Options: []string{string(ByOperator), string(GoneForGood), string(FailingTooLong)}, Owned: true, Doc: "Why it is off: an operator switched it off, it answered 410, or it failed for three days."},
		{Name: "secret", Kind: collection.Text, Owned: true, Read: collection.Staff, Doc: "What deliveries are signed with, whsec_…: shown when it is made and when it is rotated, null in any other answer."},
		{Name: "previousSecretUntil", Kind: collection.Date, Owned: true, Read: collection.Staff, Doc: "Until when deliveries are signed with the secret before, too."},
		{Name: "sealedSecret", Kind: collection.Text, Owned: true, Read: collection.Nobody, Doc: "The secret, sealed."},
		{Name: "sealedPrevious", Kind: collection.Text, Owned: true, Read: collection.Nobody, Doc: "The secret before it, sealed."},
		{Name: "since", Kind: collection.Integer, Owned: true, Read: collection.Nobody, Doc: "The number of the last event that it does not hear of."},
	},
	Environmented: true, Operated: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: all, SecretKey: all},
}

// Deliveries is the log of what endpoints were told, with every attempt. It makes no events: it is about them. What
// endpoints answer is for admins, and the shop's server. Contract 10.
var Deliveries = &collection.Schema{
	Slug: "webhook-deliveries", Singular: "WebhookDelivery", Plural: "WebhookDeliveries",
	Doc: "One event on its way to one webhook endpoint.",
	Fields: []collection.Field{
		{Name: "endpoint", Kind: collection.Relation, To: "webhook-endpoints", Indexed: true, Doc: "Where it goes."},
		{Name: "event", Kind: collection.Text, Indexed: true, MaxLength: 64, Doc: "Id of the event: the same for all endpoints."},
		{Name: "sequence", Kind: collection.Integer, Doc: "Number of the event in the log; null for a test."},
		{Name: "collection", Kind: collection.Text, MaxLength: 100, Doc: "Slug of the collection."},
		{Name: "operation", Kind: collection.Select, Options: operations, Doc: "What happened."},
		{Name: "record", Kind: collection.Text, Indexed: true, MaxLength: 64, Doc: "Id of the record."},
		{Name: "recordSequence", Kind: collection.Integer, Doc: "1, 2, 3… for each change of the record."},
		{Name: "occurredAt", Kind: collection.Date, Doc: "When it happened."},
		{Name: "status", Kind: collection.Select, Options: []string{string(Pending), string(Succeeded), string(Dead), string(Discarded)}, Indexed: true, Doc: "pending until it succeeded, was given up after the last attempt (dead), or was not worth one (discarded)."},
		{Name: "reason", Kind: collection.Select, Options: reasons, Doc: "Why it is dead or discarded."},
		{Name: "responseStatus", Kind: collection.Integer, Doc: "Status of the last answer; null when there was none."},
		{Name: "attempts", Kind: collection.Array, Doc: "The last attempts, oldest first.", Fields: []collection.Field{
			{Name: "at", Kind: collection.Date, Doc: "When it began."},
			{Name: "status", Kind: collection.Integer, Doc: "Status of the answer; null when there was none."},
			{Name: "durationMs", Kind: collection.Integer, Doc: "How long it took, in milliseconds."},
			{Name: "response", Kind: collection.Textarea, Doc: "The first 1 KiB of the answer."},
			{Name: "failure", Kind: collection.Select, Options: failures, Doc: "Why there was no answer."},
		}},
		{Name: "nextAttemptAt", Kind: collection.Date, Doc: "When it is tried next; null when it is not."},
		{Name: "endedAt", Kind: collection.Date, Doc: "When it succeeded or was given up."},
		{Name: "test", Kind: collection.Boolean, Default: false, Doc: "Whether it is a test: about nothing that happened."},
		{Name: "replayed", Kind: collection.Boolean, Default: false, Doc: "Whether an operator asked for it once more."},
		{Name: "tries", Kind: collection.Integer, Read: collection.Nobody, Doc: "Attempts of this round."},
	},
	UniqueSets:    [][]string{{"endpoint", "event"}},
	Environmented: true, Operated: true, NoDelete: true, Silent: true,
	Access: collection.Access{Admin: read, SecretKey: read},
}

// Schemas lists the collections of this package.
func Schemas() []*collection.Schema { return []*collection.Schema{Endpoints, Deliveries} }
