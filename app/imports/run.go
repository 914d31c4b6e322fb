package imports

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// How many records of a kind share a transaction, which takes some 50 ms and blocks other writers of SQLite meanwhile.
var chunkUnits = map[intake.Kind]int{intake.Products: 10, intake.Customers: 50, intake.Orders: 25, intake.Stock: 100, intake.Discounts: 50}

// chunkRows is how many rows share a transaction, but for a record that has more.
const chunkRows = 100

// Jobs is what is done with imports.
func (s *Service) Jobs() jobs.Kind {
	return jobs.Kind{Schema: intake.Imports, Run: s.run, Remove: s.removeResults, Blobs: func(r collection.Record) []string {
		return []string{intake.RequestFrom(r).Blob}
	}}
}

// work is an import that is being done.
type work struct {
	*Service
	intake.Request

	run   *jobs.Run
	by    tenant.Principal // whoever asked, with the rights of now
	trial *trial           // of a dry run; nil otherwise
	told  int              // the last row of which it is stored what became of it
}

// run does an import, from where it was interrupted.
func (s *Service) run(ctx context.Context, r *jobs.Run) error {
	x := work{Service: s, run: r, Request: intake.RequestFrom(r.Record())}
	from, sheet, err := s.open(ctx, x.Kind, x.Blob)
	if err != nil {
		return err
	}
	return errors.Join(blamed(x.all(ctx, from)), sheet.Close())
}

func (x *work) all(ctx context.Context, from *source) error {
	var err error
	if x.told, err = strconv.Atoi("0" + x.run.Job().Position); err != nil {
		return err
	}
	after := x.told
	if x.DryRun {
		if x.trial, err = x.newTrial(ctx); err != nil {
			return err
		}
		if err := x.catchUp(ctx, after); err != nil {
			return err
		}
	}
	for {
		units, err := from.next(ctx, after, chunkUnits[x.Kind], chunkRows)
		if err != nil || len(units) == 0 {
			return err
		}
		if err := x.chunk(ctx, units); err != nil {
			return err
		}
	}
}

// chunk does some units: together, or each by itself if the database refuses one of them. Errors: those that end the import.
func (x *work) chunk(ctx context.Context, units []unit) (err error) {
	if x.by, err = x.run.Principal(ctx); err != nil {
		return err
	}
	if err := x.MayImport(x.by, x.Kind, x.Mode); err != nil {
		return err
	}
	err = x.commit(ctx, units)
	if err == nil || !isRowError(err) {
		return err
	}
	for _, u := range units {
		err := x.commit(ctx, []unit{u})
		if err != nil && isRowError(err) {
			u.problems = u.problemsOf(x.Kind, err)
			err = x.commit(ctx, []unit{u})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// commit applies units and stores what became of them, and that they are done, in one transaction. A dry run undoes the first
// part.
func (x *work) commit(ctx context.Context, units []unit) error {
	ctx, by := ports.Importing(ctx, x.by)
	c := chunk{Writers: x.Writers, by: by, kind: x.Kind, mode: x.Mode, units: units}
	if x.DryRun {
		r, err := x.rehearse(ctx, c)
		if err != nil {
			return err
		}
		err = x.run.Checkpoint(ctx, func(ctx context.Context, step jobs.Step) error { return x.store(ctx, step, units, r.done) })
		if err == nil {
			err = x.trial.keep(units, r.done, r.freed)
		}
		return err
	}
	return x.run.Checkpoint(ctx, func(ctx context.Context, step jobs.Step) error {
		c.tx = step.Tx
		done, err := c.apply(ctx)
		if err != nil {
			return err
		}
		return x.store(ctx, step, units, done)
	})
}

// errUndo ends a transaction that was for trying.
var errUndo = errors.New("the transaction was a rehearsal")

// undone is the error of a transaction that was for trying.
func undone(err error) error {
	if errors.Is(err, errUndo) {
		return nil
	}
	return err
}

// store stores what became of units, unless that is stored already.
func (x *work) store(ctx context.Context, step jobs.Step, units []unit, done []outcome) error {
	if units[len(units)-1].last() <= x.told {
		return nil
	}
	var results []intake.Result
	for i, u := range units {
		results = append(results, u.results(done[i])...)
	}
	counts, more := job.CountsFrom(step.Record), intake.CountsOf(results)
	job.Counts{
		Applied: counts.Applied + more.Applied, Unchanged: counts.Unchanged + more.Unchanged, Rejected: counts.Rejected + more.Rejected,
	}.Put(step.Record)
	step.Job.Handled += int64(len(results))
	*step.Job = step.Job.MoveTo(strconv.Itoa(results[len(results)-1].Row))
	for part := range slices.Chunk(results, maxResults) {
		record := intake.ResultsRecord(step.Record, part)
		record["id"] = x.NewID()
		if err := step.Tx.Records.Write(ctx, collection.NewChange(intake.Results, nil, record, x.NewID(), step.Now)); err != nil {
			return err
		}
	}
	return nil
}

// maxResults is how many rows a record of results has at most.
const maxResults = 500

// removeResults deletes what became of the rows of an import that is removed.
func (s *Service) removeResults(ctx context.Context, tx ports.Tx, of collection.Record) error {
	all, err := ports.FindAll(ctx, tx.Records, resultsAfter(of, 0, ""))
	if err != nil {
		return err
	}
	changes := make([]collection.Change, len(all))
	for i, r := range all {
		changes[i] = collection.NewChange(intake.Results, r, nil, s.NewID(), s.Now())
	}
	return tx.Records.Write(ctx, changes...)
}
