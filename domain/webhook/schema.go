package webhook

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// The refusals of operations on deliveries and endpoints.
var (
	ErrEndpointLimit    = fault.New(fault.Unprocessable, "webhook_endpoint_limit", "The shop's plan allows no more webhook endpoints.")
	ErrEndpointDisabled = fault.New(fault.Conflict, "webhook_endpoint_disabled", "The webhook endpoint is disabled. Enable it first.")
	ErrEventTrimmed     = fault.New(fault.Conflict, "webhook_event_gone", "The event is no longer available and cannot be redelivered.")
	ErrEndpointDeleted  = fault.New(fault.Conflict, "webhook_endpoint_deleted", "The webhook endpoint of this delivery was deleted.")
)

var (
	read       = []collection.Verb{collection.Read}
	all        = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	operations = []string{string(collection.Created), string(collection.Updated), string(collection.Deleted)}
)

// MaxURL is the maximum length of an address in characters.
const MaxURL = 2000

// Endpoints declares webhook endpoints. They are created, rotated and deleted by operations; the other fields
// can be patched. Their secrets are sealed before they are stored. Rule webhooks-9.
var Endpoints = &collection.Schema{
	Slug: "webhook-endpoints", Singular: "WebhookEndpoint", Plural: "WebhookEndpoints",
	Guarded: []collection.Verb{collection.Update}, // deliveries have the tokens that set passwords
	Doc:     "A URL that receives signed notifications of record changes.",
	Fields: []collection.Field{
		{
			Name: "url", Kind: collection.Text, Required: true, Patchable: true, MaxLength: MaxURL, URLKind: collection.PageURL,
			Doc: "Where deliveries go: https, or http where the installation allows it; without user, password or fragment.",
		},
		{
			Name: "collections", Kind: collection.Texts, Patchable: true,
			Doc: "Slugs of the collections it subscribes to; empty means all that its audience may read, except comments and notifications. Only collections the caller may read can be listed.",
		},
		{
			Name: "operations", Kind: collection.Selects, Options: operations, Patchable: true,
			Doc: "Operations it subscribes to; empty means all.",
		},
		{
			Name: "audience", Kind: collection.Select, Options: []string{string(Admins), string(Servers)}, ReadOnly: true,
			Doc: "On whose behalf it reads: of admins, or of the shop's secret keys. A secret key that creates it, enables it, or changes its url, collections or operations sets it to server permanently.",
		},
		{Name: "description", Kind: collection.Textarea, Patchable: true, MaxLength: 1000, Doc: "Note for operators."},
		{
			Name: "enabled", Kind: collection.Boolean, Default: true, Patchable: true, Indexed: true,
			Doc: "Whether it is enabled. Events that happen while it is disabled are not delivered.",
		},
		{Name: "disabledAt", Kind: collection.Date, ReadOnly: true, Doc: "Since when it is off; null while it is on."},
		{
			Name: "disabledReason", Kind: collection.Select,
			Options: []string{string(DisabledByOperator), string(DisabledGone), string(DisabledFailing)}, ReadOnly: true,
			Doc: "Why it is off: an operator switched it off, it answered 410, or it failed for three days.",
		},
		{
			Name: "secret", Kind: collection.Text, ReadOnly: true, VisibleTo: collection.Staff, ShownOnce: true,
			Doc: "What deliveries are signed with, whsec_…: shown when it is made and when it is rotated, null in any other answer.",
		},
		{
			Name: "previousSecretUntil", Kind: collection.Date, ReadOnly: true, VisibleTo: collection.Staff,
			Doc: "Until when deliveries are also signed with the old secret.",
		},
		{Name: "sealedSecret", Kind: collection.Text, ReadOnly: true, VisibleTo: collection.ServerOnly, Doc: "The secret, sealed."},
		{
			Name: "sealedPrevious", Kind: collection.Text, ReadOnly: true, VisibleTo: collection.ServerOnly,
			Doc: "The secret before it, sealed.",
		},
		{
			Name: "since", Kind: collection.Integer, ReadOnly: true, VisibleTo: collection.ServerOnly,
			Doc: "Number of the last event before the subscription starts.",
		},
	},
	PerEnvironment: true, CommandOnly: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: all, SecretKey: all},
}

// Deliveries declares the log of deliveries with every attempt. Changes of it emit no events, since it is
// about events. What endpoints answered is visible to admins and the tenant's server. Rule webhooks-18.
var Deliveries = &collection.Schema{
	Slug: "webhook-deliveries", Singular: "WebhookDelivery", Plural: "WebhookDeliveries",
	Doc: "The delivery of one event to one webhook endpoint.",
	Fields: []collection.Field{
		{Name: "endpoint", Kind: collection.Relation, RelationTo: "webhook-endpoints", Indexed: true, Doc: "The webhook endpoint."},
		{Name: "event", Kind: collection.Text, Indexed: true, MaxLength: 64, Doc: "Id of the event: the same for all endpoints."},
		{Name: "sequence", Kind: collection.Integer, Doc: "Number of the event in the log; null for a test."},
		{Name: "collection", Kind: collection.Text, MaxLength: 100, Doc: "Slug of the collection."},
		{Name: "operation", Kind: collection.Select, Options: operations, Doc: "What happened."},
		{Name: "record", Kind: collection.Text, Indexed: true, MaxLength: 64, Doc: "Id of the record."},
		{Name: "recordSequence", Kind: collection.Integer, Doc: "1, 2, 3… for each change of the record."},
		{Name: "occurredAt", Kind: collection.Date, Doc: "When it happened."},
		{
			Name: "status", Kind: collection.Select, Options: []string{string(Pending), string(Succeeded), string(Dead), string(Discarded)},
			Indexed: true, Doc: "pending until it succeeded, was given up after the last attempt (dead), or was not worth one (discarded).",
		},
		{Name: "reason", Kind: collection.Select, Options: reasons, Doc: "Why it is dead or discarded."},
		{Name: "responseStatus", Kind: collection.Integer, Doc: "Status of the last answer; null when there was none."},
		{Name: "attempts", Kind: collection.Array, Doc: "The last attempts, oldest first.", Fields: []collection.Field{
			{Name: "at", Kind: collection.Date, Doc: "When it began."},
			{Name: "status", Kind: collection.Integer, Doc: "Status of the answer; null when there was none."},
			{Name: "durationMs", Kind: collection.Integer, Doc: "How long it took, in milliseconds."},
			{Name: "response", Kind: collection.Textarea, Personal: true, Doc: "The first 1 KiB of the answer."},
			{Name: "failure", Kind: collection.Select, Options: failures, Doc: "Why there was no answer."},
		}},
		{Name: "nextAttemptAt", Kind: collection.Date, Doc: "When it is tried next; null when it is not."},
		{Name: "endedAt", Kind: collection.Date, Doc: "When it succeeded or was given up."},
		{Name: "test", Kind: collection.Boolean, Default: false, Doc: "Whether it is a test: about nothing that happened."},
		{Name: "replayed", Kind: collection.Boolean, Default: false, Doc: "Whether an operator requested it again."},
		{Name: "tries", Kind: collection.Integer, VisibleTo: collection.ServerOnly, Doc: "Attempts of this round."},
	},
	// How many deliveries are pending changes too fast for the statistics of a database. So each look-up has
	// an index of its own, with a condition that no other one has.
	Indexes: []collection.Index{
		// due deliveries in order
		{Fields: []string{"endpoint", "nextAttemptAt", "sequence"}, Only: collection.IndexFilter{Field: "nextAttemptAt", Op: collection.Exists, Value: true}},
		// the first of a record
		{Fields: []string{"record", "endpoint", "recordSequence"}, Only: collection.IndexFilter{Field: "endedAt", Op: collection.Exists, Value: false}},
		// the oldest
		{Fields: []string{"occurredAt"}, Only: collection.IndexFilter{Field: "status", Op: collection.Equals, Value: string(Pending)}},
		{Fields: []string{"endedAt"}, Only: collection.IndexFilter{Field: "endedAt", Op: collection.Exists, Value: true}}, // what is pruned
	},
	UniqueSets:     [][]string{{"endpoint", "event"}},
	PerEnvironment: true, CommandOnly: true, NoDelete: true, NoEvents: true,
	Access: collection.Access{Admin: read, SecretKey: read},
}

// Schemas lists the collections of this package.
func Schemas() []*collection.Schema { return []*collection.Schema{Endpoints, Deliveries} }
