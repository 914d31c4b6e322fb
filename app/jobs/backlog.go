package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/ports"
)

// Backlog are the jobs of one collection that have not ended, those of all tenants.
type Backlog struct {
	Collection string // slug
	Waiting    int64
	Running    int64
	Since      time.Time // when the oldest of those that wait was asked for, UTC; zero: none waits
}

// Backlog is how many jobs wait and run, over all instances, in the order of the runner's kinds. Errors: those of the database.
func (r *Runner) Backlog(ctx context.Context) ([]Backlog, error) {
	list := make([]Backlog, len(r.Kinds))
	for i, k := range r.Kinds {
		var err error
		if list[i], err = ReadBacklog(ctx, r.Store, k.Schema); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ReadBacklog is the backlog of the jobs of a collection. Errors: those of the database.
func ReadBacklog(ctx context.Context, store ports.Store, s *collection.Schema) (Backlog, error) {
	waiting, since, err := count(ctx, store, s, job.Queued)
	running, _, failed := count(ctx, store, s, job.Running)
	return Backlog{s.Slug, waiting, running, since}, errors.Join(err, failed)
}

// count is how many jobs of all tenants have a status that is not final, and when the oldest of them was asked for.
func count(ctx context.Context, store ports.Store, s *collection.Schema, status job.Status) (n int64, since time.Time, err error) {
	found, err := store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Where: collection.And{job.Open(s), s.Where("status", collection.Equals, string(status))},
		Sort: []collection.SortKey{{Path: s.Where("createdAt", collection.Exists, true).Path}}, Limit: 1, Page: 1, LeaveOutDamaged: true,
	})
	if err == nil && len(found.Docs) > 0 {
		since = found.Docs[0].Time("createdAt")
	}
	return found.TotalDocs, since, err
}

// Failed are the jobs of a collection that failed for reasons of the server, and not of what was asked for: somebody who runs it
// should look. They are kept for job.KeepFor. The last one comes first; there are at most limit, and total is how many there are.
// Errors: those of the database.
func Failed(ctx context.Context, store ports.Store, s *collection.Schema, limit int) (list []collection.Record, total int64, err error) {
	found, err := store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Where: collection.And{
			s.Where("status", collection.Equals, string(job.Failed)), s.Where("problem", collection.In, problemInternal, job.ProblemAttempts),
		},
		Sort:  []collection.SortKey{{Path: s.Where("endedAt", collection.Exists, true).Path, Desc: true}},
		Limit: limit, Page: 1, LeaveOutDamaged: true,
	})
	return found.Docs, found.TotalDocs, err
}
