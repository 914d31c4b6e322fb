package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// eventPosition is the event of a record that shows its last change.
type eventPosition struct {
	collection string
	sequence   string // the recordSequence
}

// notePosition remembers what the answer to a change of a record of the shop tells.
func (s *client) notePosition(r request, a answer) {
	id, n := text(a.body, "doc", "id"), a.header.Get("X-Event-Sequence")
	path, ok := strings.CutPrefix(r.path, "/api/")
	key := r.header["X-API-Key"]
	if foreign := key != "" && (key == s.other.SecretKey || key == s.other.TestSecretKey); !ok || id == "" || n == "" || foreign {
		return
	}
	collection, _, _ := strings.Cut(path, "/")
	collection, _, _ = strings.Cut(collection, "?")
	s.positions.Store(id, eventPosition{collection, n})
}

// eventsUntil reads the events of a record's collection from the beginning of the log until they show its
// last change, and then to the end of the log: everything that happened before that change is in the log by
// then, too.
func (s *client) eventsUntil(ctx context.Context, record string) (all []any, err error) {
	ctx, cancel := context.WithTimeout(ctx, eventualTimeout)
	defer cancel()
	told, ok := s.positions.Load(record)
	if !ok {
		return nil, fmt.Errorf("no answer said which event shows the last change of %q", record)
	}
	last := told.(eventPosition) //nolint:forcetypeassert // nothing else is stored
	shown := func(e any) bool { return subject(e) == record && text(e, "recordSequence") == last.sequence }
	for after, more := "0", true; more || !slices.ContainsFunc(all, shown); {
		page, err := s.must(ctx, request{"GET", "/api/events?limit=3&collection=" + last.collection + "&after=" + after, nil, s.asServer()})
		if err != nil {
			return nil, fmt.Errorf("change %s of %q is not among %d events: %w", last.sequence, record, len(all), err)
		}
		all = append(all, list(page.body, "docs")...)
		after, more = text(page.body, "nextAfter"), text(page.body, "hasMore") == "true"
	}
	return all, nil
}

// waitForEvents waits until the log shows everything of a collection that was done by now.
func (s *client) waitForEvents(ctx context.Context, collection string) (err error) {
	s.positions.Range(func(record, told any) bool {
		if told.(eventPosition).collection == collection { //nolint:forcetypeassert // nothing else is stored
			_, err = s.eventsUntil(ctx, record.(string)) //nolint:forcetypeassert // as above
		}
		return err == nil
	})
	return err
}

// subject is the id of the record that an event is about.
func subject(event any) string {
	if text(event, "operation") == "delete" {
		return text(event, "data", "id")
	}
	return text(event, "doc", "id")
}
