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

// eventInput selects the events of a reader.
var eventInput = []collection.Field{
	{Name: "after", Kind: collection.Text, Doc: "Return events after this sequence number, or latest for future events only."},
	{Name: "collection", Kind: collection.Text, Doc: "Of these collections alone, by slug, with commas between; without it of all that the caller may read."},
}

// maxSafeInteger is the largest whole number that every JSON reader represents exactly.
const maxSafeInteger = 1<<53 - 1

// sequenceMember is a sequence number of the event log.
func sequenceMember(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Integer, Required: true, Min: collection.Bound(0), Max: collection.Bound(maxSafeInteger), Doc: doc}
}

// eventFields are the members of an event.
var eventFields = []collection.Field{
	{Name: "id", Kind: collection.Text, Required: true, Doc: "Identifier of the event, the same in the log, in streams and in webhooks."},
	sequenceMember("sequence", "Its number in the tenant, in commit order."),
	sequenceMember("recordSequence", "Its number among those of the record: 1, 2, 3, without gaps."),
	{Name: "tenant", Kind: collection.Text, Required: true, Doc: "The tenant."},
	{Name: "environment", Kind: collection.Select, Options: []string{string(tenant.Live), string(tenant.Test)}, Required: true, OmitMissing: true, Doc: "live or test; left out where the record belongs to both."},
	{Name: "collection", Kind: collection.Text, Required: true, Doc: "Slug of the record's collection."},
	{Name: "operation", Kind: collection.Select, Options: []string{string(collection.Created), string(collection.Updated), string(collection.Deleted)}, Required: true, Doc: "The operation on the record."},
	{Name: "data", Kind: collection.JSON, Required: true, Doc: "The fields that changed but for updatedAt; of a create the whole record, of a delete its last state."},
	{Name: "doc", Kind: collection.JSON, Required: true, OmitMissing: true, Doc: "The record after a create or update."},
	{Name: "previousDoc", Kind: collection.JSON, Required: true, OmitMissing: true, Doc: "The record before an update."},
	{Name: "occurredAt", Kind: collection.Date, Required: true, Doc: "When."},
}

// Events are the operations of the event log, in pages and as a stream. Rule events-4.
func Events(s *eventfeed.Service, a *access.Service) []Operation {
	return []Operation{listEvents(s), streamEvents(s, a)}
}

func listEvents(s *eventfeed.Service) Operation {
	return Operation{
		Name: "events.list", GraphQL: "events", Summary: "List events",
		Doc:    "Oldest first, of the collections that the caller may read and of its environment. Go on with after=nextAfter while hasMore: a page may be short, or empty, although there is more. An event is in the log a moment after the answer to its change, whose X-Event-Sequence is its recordSequence.",
		Method: get, Path: "/events", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Input: append(slices.Clip(eventInput), collection.Field{Name: "limit", Kind: collection.Integer, Doc: "Page size: 0 to 500, default 10. 0 returns only the position."}),
		Output: []collection.Field{
			{Name: "docs", Kind: collection.Array, Required: true, Doc: "The events.", Fields: eventFields},
			sequenceMember("nextAfter", "Where the next page begins."),
			{Name: "hasMore", Kind: collection.Boolean, Required: true, Doc: "Whether there is a next page."},
		},
		Reasons: []*fault.Error{eventfeed.ErrUnknownSequence, eventfeed.ErrTrimmed},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := eventfeed.Query{After: in.Text("after"), Collections: splitSlugs(in.Text("collection")), Limit: in.Int("limit", collection.DefaultLimit)}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.List(ctx, call.Principal, q)
		},
	}
}

// headerEventID is the header in which a reconnecting browser sends the last event it received; the URL still
// has the position where it began.
const headerEventID = "Last-Event-ID"

func streamEvents(s *eventfeed.Service, a *access.Service) Operation {
	return Operation{
		Name: "events.stream", Summary: "Stream events",
		Doc: "Server-Sent Events without a name: id is the sequence of the event, data the event as the log has it. Without a number it begins with what happens from then on; with one nothing is missed and nothing comes twice. " +
			"A heartbeat is sent at least every 15 seconds. The stream ends when the server restarts or the credentials expire: reconnect with Last-Event-ID.",
		Method: get, Path: "/events/stream", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, Produces: []string{EventStream}, Private: true,
		Headers: []collection.Field{{Name: headerEventID, Alias: "after", Kind: collection.Text, Doc: "The id of the last event that arrived; browsers send it by themselves. It counts before after."}},
		Input:   eventInput, RawInput: true,
		Reasons: []*fault.Error{eventfeed.ErrUnknownSequence, eventfeed.ErrTrimmed, eventfeed.ErrTooManyStreams},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			stream, err := s.Open(ctx, call.Principal, eventfeed.Query{After: in.rawText("after"), Collections: splitSlugs(in.rawText("collection"))})
			if err != nil {
				return idempotency.Response{}, err
			}
			credentials := in.Credentials
			in.Subscribe(&Subscription{stream, func(ctx context.Context) error { return a.Reauthenticate(ctx, credentials, call.Principal) }})
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
