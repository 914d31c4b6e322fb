package eventfeed

import (
	"cmp"
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// A timeline tells comments as they are now, and not by their events: what was deleted is not told, and what is there is told
// as long as it is there. Rule team-3.

// comments are those on a record before a position of its timeline, newest first, one more than a page has; none for whoever may
// not read them.
func (s *Service) comments(ctx context.Context, p tenant.Principal, q TimelineQuery, before ports.HistoryQuery) ([]collection.Record, error) {
	grant, err := access.Allowed(p, team.Comments, collection.Read)
	if err != nil || !grant.All && !slices.Contains(grant.About, q.Collection) || !slices.Contains(team.Commented, q.Collection) {
		return nil, nil //nolint:nilerr // whoever may not read comments is told the changes alone
	}
	c := team.Comments
	where := collection.And{c.Where("collection", collection.Equals, q.Collection), c.Where("record", collection.Equals, q.Record)}
	if !before.BeforeTime.IsZero() {
		where = append(where, collection.Or{
			c.Where("createdAt", collection.LessThan, before.BeforeTime),
			collection.And{c.Where("createdAt", collection.Equals, before.BeforeTime), c.Where("id", collection.LessThan, before.BeforeID)},
		})
	}
	page, err := s.Store.Read(ports.ForTenant(before.Tenant)).Find(ctx, collection.Query{
		Schema: c, Environment: string(before.Environment), Where: where, Limit: min(before.Limit, collection.MaxLimit), Page: 1, SkipCount: true,
		Sort: c.SortByLast("createdAt"),
	})
	return page.Docs, err
}

// withComments are the events of a timeline with its comments between them, each as the event of its beginning, newest first and
// at most limit together.
func withComments(events []ports.Event, comments []collection.Record, limit int) (all []ports.Event, byID map[string]collection.Record) {
	byID = make(map[string]collection.Record, len(comments))
	for _, r := range comments {
		byID[r.ID()] = r
		events = append(events, ports.Event{
			ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")), RecordSequence: 1,
			Collection: team.Comments.Slug, Record: r.ID(), Operation: collection.Created, At: r.Time("createdAt"),
			Actor: team.AuthorFrom(r.Group("author")), Body: []byte(r.Text("text")),
		})
	}
	slices.SortStableFunc(events, func(a, b ports.Event) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID))
	})
	return events[:min(len(events), limit)], byID
}

// commentEntry tells a comment.
func commentEntry(e *ports.Event, comment collection.Record, names map[string]string) reply.Object {
	edited := comment["editedAt"]
	o := append(entryHead(e, "Comment added", reply.List{}), reply.Member{Name: "comment", Value: reply.Object{
		{Name: "text", Value: comment.Text("text")}, {Name: "mentions", Value: texts(comment.Texts("mentions"))},
		{Name: "edited", Value: edited != nil}, {Name: "editedAt", Value: edited},
	}})
	return withActor(o, e, names)
}

func texts(list []string) reply.List {
	out := make(reply.List, len(list))
	for i, text := range list {
		out[i] = text
	}
	return out
}
