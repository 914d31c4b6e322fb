package catalog

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// The values of the field publication: a draft waits until its time has come.
const (
	waiting = "waiting"
	due     = "due"
)

// CompletePublication notes in a product that is written at now whether it waits to be published: a draft with a time to come
// does, until an editor changes its status or its time. before is nil for a new product. Rule catalog-33. Errors:
// fault.ErrValidation for a draft that gets a time which has passed.
func CompletePublication(before, next collection.Record, now time.Time) (collection.Record, error) {
	at := next.Time("publishAt")
	waits := next.Text("status") == Draft && at.After(now)
	if next.Text("status") == Draft && next["publishAt"] != nil && !waits {
		same := before["publishAt"] != nil && before.Time("publishAt").Equal(at)
		if !same {
			return nil, fault.Invalidf("publishAt", "This time has passed. Set the status to published instead.")
		}
		waits = before.Text("publication") == waiting && before.Text("status") == Draft // its time came a moment ago
	}
	if waits == (next.Text("publication") == waiting) {
		return next, nil
	}
	next = next.Clone()
	delete(next, "publication")
	if waits {
		next["publication"] = waiting
	}
	return next, nil
}

// DueToPublish matches the drafts that were to be published by now.
func DueToPublish(now time.Time) collection.Cond {
	return collection.And{
		Products.Where("publication", collection.Equals, waiting),
		Products.Where("publishAt", collection.LessThanEqual, collection.TruncateTime(now)),
	}
}

// Publish is a draft as published. ok is false when it does not wait any more, or not until now.
func Publish(draft collection.Record, now time.Time) (next collection.Record, ok bool) {
	if draft.Text("status") != Draft || draft.Text("publication") != waiting || draft.Time("publishAt").After(now) {
		return draft, false
	}
	next = draft.Clone()
	delete(next, "publication")
	next["status"] = Published
	return next, true
}
