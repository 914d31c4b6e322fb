// Package bulk changes many records of a collection by one request, each in its own way.
//
// Records are changed in chunks, each of which is one transaction. A record whose change is refused before anything was
// written leaves its chunk as it was; where the database refuses, such as a number that is taken, the chunk is rolled back
// and its records are changed one by one. Under an idempotency key each of these transactions stores what it did, so that
// a repetition goes on where a crash interrupted and changes nothing twice.
package bulk

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// MaxPatches is how many records one request changes at most.
	MaxPatches = 1000
	// chunkSize is how many records share a transaction: enough to make the commit cheap, and few enough that nobody waits
	// long for a lock.
	chunkSize = 50
)

// ErrRefused refuses a request all or nothing of which was to be done. Fields has what is wrong with each record.
var ErrRefused = fault.NewInvalid("patches", "bulk_refused", "Nothing was changed, since not every record can be changed as asked.")

// Service changes many records by one request. Rules collections-33, collections-34.
type Service struct {
	Store       ports.Store
	Records     *records.Service
	Idempotency *idempotency.Runner
	Now         func() time.Time
}

// Patch is the change of one record: data is merged into it, as by Service.Update of package records.
type Patch struct {
	ID               string
	Data             map[string]any
	ExpectedRevision int64 // 0: any
}

// Request is what to change. Atomic: all records or none.
type Request struct {
	Patches []Patch
	Atomic  bool
}

// check refuses an empty or too long list, and a record that is named twice. Errors: fault.ErrValidation.
func (r Request) check() error {
	if len(r.Patches) == 0 || len(r.Patches) > MaxPatches {
		return fault.Invalidf("patches", "Name 1 to %d records, not %d.", MaxPatches, len(r.Patches))
	}
	first := make(map[string]int, len(r.Patches))
	var twice []fault.Field
	for i, p := range r.Patches {
		if at, known := first[p.ID]; known {
			twice = append(twice, fault.Field{
				Field: path(i) + ".id", Message: "This record is named already, by " + path(at) + ".",
			})
			continue
		}
		first[p.ID] = i
	}
	if len(twice) > 0 {
		return fault.ErrValidation.WithFields(twice...)
	}
	return nil
}

func path(i int) string { return "patches." + strconv.Itoa(i) }

// run is one request that is being done.
type run struct {
	*Service

	call   idempotency.Call
	schema *collection.Schema
}

// Update changes the records of a collection and answers {updated, unchanged, refused, results}, a result for each patch
// in their order. Errors: fault.ErrNotFound for a collection that does not exist, fault.ErrValidation, ErrRefused, those of
// records.Service.CheckAccess, and those of idempotency.
func (s *Service) Update(ctx context.Context, c idempotency.Call, slug string, r Request) (idempotency.Response, error) {
	w := run{s, c, s.Records.Registry.Get(slug)}
	if w.schema == nil {
		return idempotency.Response{}, fault.ErrNotFound.WithMessage("There is no such collection.")
	}
	if err := s.Records.CheckAccess(c.Principal, w.schema, collection.Update); err != nil {
		return idempotency.Response{}, err
	}
	if err := r.check(); err != nil {
		return idempotency.Response{}, err
	}
	work := func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		if r.Atomic {
			return w.atomically(ctx, claim, r.Patches)
		}
		rows, err := w.inChunks(ctx, r.Patches)
		if errors.Is(err, ports.ErrReceiptExists) {
			err = idempotency.ErrInProgress // another request took over
		}
		return w.receipt(rows), err
	}
	if c.Key == "" {
		answer, _, err := s.Idempotency.RunOptional(ctx, c, work)
		return answer, err
	}
	if err := c.CheckKey(actsOn(w.schema, r)...); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.RunClaimed(ctx, c, work)
	return answer, err
}

// Apply changes records of s as a part of the use case of c, and returns a result for each patch in their order. Where c has a
// key, the use case has to hold its claim, and to send the same patches again when it goes on. Errors: those that are not
// about one record.
func (s *Service) Apply(ctx context.Context, c idempotency.Call, schema *collection.Schema, patches []Patch) (results []Result, err error) {
	c.Operation += "/" + schema.Slug
	rows, err := run{s, c, schema}.inChunks(ctx, patches)
	if errors.Is(err, ports.ErrReceiptExists) {
		err = idempotency.ErrInProgress // another request took over
	}
	for _, r := range rows {
		results = append(results, Result{r.status, r.text})
	}
	return results, err
}

// actsOn are the ids that a key must not contain: those of records that operations write.
func actsOn(s *collection.Schema, r Request) (ids []string) {
	if s.CommandOnly {
		for _, p := range r.Patches {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// receipt is the receipt of a request with these results.
func (w run) receipt(rows []row) idempotency.Receipt {
	counts := map[Status]int64{}
	results := make(reply.List, len(rows))
	for i, r := range rows {
		counts[r.status]++
		results[i] = r.text
	}
	body := w.call.Body(
		reply.Member{Name: "updated", Value: counts[Updated]}, reply.Member{Name: "unchanged", Value: counts[Unchanged]},
		reply.Member{Name: "refused", Value: counts[Refused]}, reply.Member{Name: "results", Value: results},
	)
	now := w.Now()
	return w.call.Receipt(ports.ReceiptOK, body, nil, now, now.Add(idempotency.Retention))
}
