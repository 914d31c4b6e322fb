package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// timelineFields are the members of an entry of a timeline.
var timelineFields = []collection.Field{
	{Name: "id", Kind: collection.Text, Required: true, Doc: "Identifier of the event that is told."},
	{
		Name: "collection", Kind: collection.Text, Required: true,
		Doc: "Slug of the collection of the record that changed: that of the path, or of a part of it.",
	},
	{Name: "record", Kind: collection.Text, Required: true, Doc: "Id of the record that changed."},
	sequenceMember("recordSequence", "Number of the change within that record."),
	{
		Name: "operation", Kind: collection.Select,
		Options: []string{string(collection.Created), string(collection.Updated), string(collection.Deleted)}, Required: true,
		Doc: "The operation on the record.",
	},
	{Name: "summary", Kind: collection.Text, Required: true, Doc: "What happened, in an English sentence, such as Status changed from open to paid."},
	{Name: "changes", Kind: collection.Array, Required: true, Doc: "The changed fields of an update; none of a create or delete.", Fields: []collection.Field{
		{Name: "path", Kind: collection.Text, Required: true, Doc: "The field; with a dot, a member of a group."},
		{Name: "label", Kind: collection.Text, Required: true, Doc: "The path in English words."},
		{Name: "from", Kind: collection.JSON, Doc: "The value before; null for none."},
		{Name: "to", Kind: collection.JSON, Doc: "The value after; null for none."},
	}},
	{
		Name: "comment", Kind: collection.Group, OmitMissing: true, Doc: "What was said, where the entry is a comment of the team and no change; left out otherwise.",
		Fields: []collection.Field{
			{Name: "text", Kind: collection.Text, Required: true, Doc: "What it says now."},
			{Name: "mentions", Kind: collection.Texts, Required: true, Doc: "Ids of the users whom it mentions."},
			{Name: "edited", Kind: collection.Boolean, Required: true, Doc: "Whether its author changed it."},
			{Name: "editedAt", Kind: collection.Date, Doc: "When they last did; null if never."},
		},
	},
	{
		Name: "actor", Kind: collection.Group, Required: true, OmitMissing: true, Fields: actorFields,
		Doc: "Who made the change, and how. Left out in events of versions that did not tell.",
	},
	{Name: "occurredAt", Kind: collection.Date, Required: true, Doc: "Time of the change."},
}

// showTimeline tells what happened to a record. Rule events-13.
func showTimeline(s *eventfeed.Service) Operation {
	return Operation{
		Name: "timeline.retrieve", GraphQL: "timeline", Summary: "Tell what happened to a record",
		Doc:    "The changes of a record and of its parts, newest first: who changed what from which value to which. The parts of an order are its fulfilments, returns, transactions and disputes, those of a product its options and variants; of each kind the 100 newest are told. Between them stand the comments of the team, as they are now. Changes are there as soon as they are made, and as long as GET /events?record= has them. Carts have no timeline.",
		Method: get, Path: "/{collection}/{id}/timeline", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Params: []collection.Field{
			{Name: "collection", Alias: "collection", Kind: collection.Text, Doc: "Slug of the record's collection."},
			{Name: "id", Alias: "id", Kind: collection.Text, Doc: "Id of the record."},
		},
		Input: []collection.Field{
			{Name: "before", Kind: collection.Text, Doc: "Continue before this position, nextBefore of the page before."},
			{Name: "limit", Kind: collection.Integer, Doc: "Page size: 1 to 500, default 10."},
		},
		Output: []collection.Field{
			{Name: "docs", Kind: collection.Array, Required: true, Doc: "What happened, newest first.", Fields: timelineFields},
			{Name: "nextBefore", Kind: collection.Text, Doc: "Value of before for the next page; null on the last."},
			{Name: "hasMore", Kind: collection.Boolean, Required: true, Doc: "Whether there is a next page."},
		},
		Reasons: []*fault.Error{ports.ErrNotFound},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := eventfeed.TimelineQuery{
				Collection: in.Param("collection"), Record: in.Param("id"), Before: in.Text("before"), Limit: in.Int("limit", collection.DefaultLimit),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Timeline(ctx, call.Principal, q)
		},
	}
}
