package operation

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// eventInput selects the events to read.
var eventInput = []collection.Field{
	{Name: "after", Kind: collection.Text, Doc: "Return events after this sequence number, or latest for future events only."},
	{
		Name: "collection", Kind: collection.Text,
		Doc: "Slugs of collections, separated by commas; defaults to all that the caller may read.",
	},
}

// maxSafeInteger is the largest whole number that every JSON reader represents exactly.
const maxSafeInteger = 1<<53 - 1

// sequenceMember is a sequence number of the event log.
func sequenceMember(name, doc string) collection.Field {
	return collection.Field{
		Name: name, Kind: collection.Integer, Required: true, Min: collection.Bound(0), Max: collection.Bound(maxSafeInteger), Doc: doc,
	}
}

// actorFields are those of who made a change.
var actorFields = slices.Insert(collection.ActorFields(true), 2, collection.Field{
	Name: "name", Kind: collection.Text, OmitMissing: true,
	Doc: "Their name as the shop has it now; left out where it has none any more, and in streams.",
})

// left is a member that is left out where there is nothing to tell.
func left(f collection.Field) collection.Field {
	f.OmitMissing = true
	return f
}

// eventFields are the members of an event.
var eventFields = []collection.Field{
	{Name: "id", Kind: collection.Text, Required: true, Doc: "Identifier of the event, the same in the log, in streams and in webhooks."},
	left(sequenceMember("sequence", "Number of the event within the tenant, in commit order; left out where the events of one record are asked for.")),
	sequenceMember("recordSequence", "Number of the event within its record: 1, 2, 3, without gaps."),
	{Name: "tenant", Kind: collection.Text, Required: true, Doc: "The tenant."},
	{
		Name: "environment", Kind: collection.Select, Options: []string{string(tenant.Live), string(tenant.Test)}, Required: true,
		OmitMissing: true, Doc: "live or test; left out where the record belongs to both.",
	},
	{Name: "collection", Kind: collection.Text, Required: true, Doc: "Slug of the record's collection."},
	{
		Name: "operation", Kind: collection.Select,
		Options: []string{string(collection.Created), string(collection.Updated), string(collection.Deleted)}, Required: true,
		Doc: "The operation on the record.",
	},
	{
		Name: "actor", Kind: collection.Group, Required: true, OmitMissing: true, Fields: actorFields,
		Doc: "Who made the change, and how. Left out in events of versions that did not tell.",
	},
	{
		Name: "data", Kind: collection.JSON, Required: true,
		Doc: "The changed fields except updatedAt; for a create the whole record, for a delete its last state.",
	},
	{Name: "doc", Kind: collection.JSON, Required: true, OmitMissing: true, Doc: "The record after a create or update."},
	{Name: "previousDoc", Kind: collection.JSON, Required: true, OmitMissing: true, Doc: "The record before an update."},
	{Name: "occurredAt", Kind: collection.Date, Required: true, Doc: "Time of the change."},
}

// Events are the operations of the event log, in pages and as a stream. Rule events-4.
func Events(s *eventfeed.Service, a *access.Service) []Operation {
	return []Operation{listEvents(s), streamEvents(s, a), showTimeline(s)}
}

// pageInput selects the events of a page.
var pageInput = append(slices.Clip(eventInput),
	sequence("before", "Return events before this sequence number."),
	collection.Field{
		Name: "order", Kind: collection.Select, Options: []string{"asc", "desc"}, Default: "asc",
		Doc: "asc: oldest first, continued with after=nextAfter; desc: newest first, continued with before=nextBefore.",
	},
	collection.Field{
		Name: "record", Kind: collection.Text, MaxLength: 64,
		Doc: "Id of a record: only its events, at once, and for orders and money as long as there is the shop. after and before are then numbers of its changes, recordSequence. Not for carts.",
	},
	collection.Field{
		Name: "actor", Kind: collection.Text, MaxLength: 100,
		Doc: "Only what they changed: the id of a user, key or customer, the name of a provider, or a kind of actor, such as system.",
	},
	collection.Field{Name: "limit", Kind: collection.Integer, Doc: "Page size: 0 to 500, default 10. 0 returns only the position."},
)

// sequence is a sequence number of the log that may be named.
func sequence(name, doc string) collection.Field {
	f := sequenceMember(name, doc)
	f.Required, f.Min = false, collection.Bound(1)
	return f
}

func listEvents(s *eventfeed.Service) Operation {
	return Operation{
		Name: "events.list", GraphQL: "events", Summary: "List events",
		Doc:    "From the collections that the caller may read and from its environment. Continue with after=nextAfter, or before=nextBefore, while hasMore is true: a page may be short, or empty, although more events follow. An event appears in the log shortly after the response to its change, whose header X-Event-Sequence is the event's recordSequence.",
		Method: get, Path: "/events", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, Input: pageInput,
		Output: []collection.Field{
			{Name: "docs", Kind: collection.Array, Required: true, Doc: "The events.", Fields: eventFields},
			left(sequenceMember("nextAfter", "Value of after for the next page; left out with order=desc.")),
			left(sequenceMember("nextBefore", "Value of before for the next page; only with order=desc.")),
			{Name: "hasMore", Kind: collection.Boolean, Required: true, Doc: "Whether there is a next page."},
		},
		Reasons: []*fault.Error{eventfeed.ErrUnknownSequence, eventfeed.ErrTrimmed},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := eventfeed.Query{
				After: in.Text("after"), Collections: splitSlugs(in.Text("collection")), Limit: in.Int("limit", collection.DefaultLimit),
				Before: in.PositiveInteger("before"), Descending: in.Choice("order") == "desc", Record: in.Text("record"), Actor: in.Text("actor"),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.List(ctx, call.Principal, q)
		},
	}
}

// headerEventID is the header in which a reconnecting browser sends the id of the last event it received; its URL still
// has the position from which the stream began.
const headerEventID = "Last-Event-ID"

func streamEvents(s *eventfeed.Service, a *access.Service) Operation {
	return Operation{
		Name: "events.stream", Summary: "Stream events",
		Doc: "Server-Sent Events without an event name: id is the event's sequence number, data the event as in the log. Without a sequence number the stream begins with future events; with one, no event is missed or repeated. " +
			"A heartbeat is sent at least every 15 seconds. The stream ends when the server restarts or the credentials expire: reconnect with Last-Event-ID.",
		Method: get, Path: "/events/stream", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Produces: []string{EventStream},
		Headers: []collection.Field{{
			Name: headerEventID, Alias: "after", Kind: collection.Text,
			Doc: "The id of the last event received, which browsers send on their own. It takes precedence over after.",
		}},
		Input: eventInput, RawInput: true,
		Reasons: []*fault.Error{eventfeed.ErrUnknownSequence, eventfeed.ErrTrimmed, eventfeed.ErrTooManyStreams},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			stream, err := s.Open(ctx, call.Principal, eventfeed.Query{
				After: in.rawText("after"), Collections: splitSlugs(in.rawText("collection")),
			})
			if err != nil {
				return idempotency.Response{}, err
			}
			credentials := in.Credentials
			in.Subscribe(&Subscription{
				stream, func(ctx context.Context) error { return a.Reauthenticate(ctx, credentials, call.Principal) },
			})
			return idempotency.Response{Result: ports.ReceiptOK}, nil
		},
	}
}

// splitSlugs splits a list at its commas.
func splitSlugs(text string) (list []string) {
	for slug := range strings.SplitSeq(text, ",") {
		if slug = strings.TrimSpace(slug); slug != "" {
			list = append(list, slug)
		}
	}
	return list
}
