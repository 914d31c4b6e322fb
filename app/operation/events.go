package operation

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/streaming"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// EventInput is where a reader of events begins, and what of them it wants.
var EventInput = []collection.Field{
	{Name: "after", Kind: collection.Text, Doc: "Events with larger numbers: the sequence of the last one that is known, or latest for those that are still to come."},
	{Name: "collection", Kind: collection.Text, Doc: "Of these collections alone, by slug, with commas between; without it of all that the caller may read."},
}

// largest is the largest whole number that every JSON reader keeps.
const largest = 1<<53 - 1

// number is a number of the log.
func number(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Integer, Required: true, Min: collection.At(0), Max: collection.At(largest), Doc: doc}
}

// eventFields are an event.
var eventFields = []collection.Field{
	{Name: "id", Kind: collection.Text, Required: true, Doc: "Identifier of the event, wherever it is told."},
	number("sequence", "Its number in the tenant, in commit order."),
	number("recordSequence", "Its number among those of the record: 1, 2, 3, without gaps."),
	{Name: "tenant", Kind: collection.Text, Required: true, Doc: "The tenant."},
	{Name: "environment", Kind: collection.Select, Options: []string{string(tenant.Live), string(tenant.Test)}, Required: true, Sparse: true, Doc: "live or test; left out where the record belongs to both."},
	{Name: "collection", Kind: collection.Text, Required: true, Doc: "Slug of the record's collection."},
	{Name: "operation", Kind: collection.Select, Options: []string{string(collection.Created), string(collection.Updated), string(collection.Deleted)}, Required: true, Doc: "What happened to the record."},
	{Name: "data", Kind: collection.JSON, Required: true, Doc: "The fields that changed but for updatedAt; of a create the whole record, of a delete its last state."},
	{Name: "doc", Kind: collection.JSON, Required: true, Sparse: true, Doc: "The record after a create or update."},
	{Name: "previousDoc", Kind: collection.JSON, Required: true, Sparse: true, Doc: "The record before an update."},
	{Name: "occurredAt", Kind: collection.Date, Required: true, Doc: "When."},
}

// Events is the log of events, page by page. Contract 10.
func Events(s *streaming.Streaming) []Operation {
	return []Operation{{
		Name: "events.list", GraphQL: "events", Summary: "Page through what happened",
		Doc:    "Oldest first, of the collections that the caller may read and of its environment. Go on with after=nextAfter while hasMore: a page may be short, or empty, although there is more.",
		Method: get, Path: "/events", At: Root, Who: []tenant.Kind{tenant.User, tenant.SecretKey},
		Input: append(slices.Clip(EventInput), collection.Field{Name: "limit", Kind: collection.Integer, Doc: "How many at most: 0 to 500, 10 without it. 0 tells where the caller stands."}),
		Output: []collection.Field{
			{Name: "docs", Kind: collection.Array, Required: true, Doc: "The events.", Fields: eventFields},
			number("nextAfter", "Where the next page begins."),
			{Name: "hasMore", Kind: collection.Boolean, Required: true, Doc: "Whether there is a next page."},
		},
		Reasons: []*fault.Error{streaming.ErrBeyond, streaming.ErrTrimmed},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			q := streaming.Asked{After: in.Text("after"), Collections: Slugs(in.Text("collection")), Limit: in.Count("limit", collection.DefaultLimit)}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return s.List(ctx, call.Principal, q)
		},
	}}
}

// Slugs is a list with commas between.
func Slugs(text string) (list []string) {
	for slug := range strings.SplitSeq(text, ",") {
		if slug = strings.TrimSpace(slug); slug != "" {
			list = append(list, slug)
		}
	}
	return list
}
