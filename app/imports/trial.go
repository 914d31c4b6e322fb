package imports

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/ports"
)

// trial is what a dry run knows of the units that it has tried. Each was undone: where a later one wants a value that an earlier one
// took or gave up, the earlier one is done again before it, in the same transaction, and undone with it. Decision 72.
type trial struct {
	fold   collection.Fold
	room   int64            // bytes of units that may still be kept
	most   int              // rows that one rehearsal does again
	wanted map[value]int    // how many units of the file say each value
	tried  map[value][]past // those that share one of their values with others
	turns  int              // that units have had so far
}

// defaultTrialMemory is far more than the rows of files take whose doubles are mistakes.
const defaultTrialMemory = 64 << 20

// defaultTrialRows is twice what a record has at most. That many keep other writers of SQLite waiting for less than a
// second.
const defaultTrialRows = 2 * intake.MaxRecordRows

// value identifies a text that one record of a shop may have, as the database compares it.
type value [sha256.Size]byte

// past is a unit that would have been applied, with the values that it takes or gives up.
type past struct {
	unit   unit
	values []value
	turn   int // place in the order in which units were applied, which within a chunk is not that of the file
}

// newTrial reads the file of an import to see which units say the same. Errors: those of source.
func (x *work) newTrial(ctx context.Context) (*trial, error) {
	t := &trial{
		fold: x.Records.Fold, room: cmp.Or(x.TrialMemory, defaultTrialMemory), most: cmp.Or(x.TrialRows, defaultTrialRows),
		wanted: map[value]int{}, tried: map[value][]past{},
	}
	from, sheet, err := x.open(ctx, x.Kind, x.Blob)
	if err != nil {
		return nil, err
	}
	for {
		u, err := from.unit(ctx)
		if err != nil || u == nil {
			return t, errors.Join(err, sheet.Close())
		}
		for _, v := range t.values(*u) {
			t.wanted[v]++
		}
	}
}

// values are what the rows of a unit say that one record of a shop may have, each once.
func (t *trial) values(u unit) (list []value) {
	for _, r := range u.rows {
		for _, said := range r.UniqueCells() {
			if v := t.value(said.Collection, said.Field, said.Text); !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	return list
}

func (t *trial) value(slug, field, text string) value {
	return sha256.Sum256([]byte(slug + "." + field + "\x00" + t.fold(text)))
}

// related are the earlier units that may decide what becomes of some units, and those that may decide what becomes of these, in the
// order in which they were applied. Errors: intake.ErrTrialTooLarge.
func (t *trial) related(units []unit) (list []past, err error) {
	var open []value
	for _, u := range units {
		if len(u.problems) == 0 { // else it is not applied
			open = append(open, t.values(u)...)
		}
	}
	rows := 0
	seen := map[value]bool{}
	have := map[int]bool{} // first rows of list
	for len(open) > 0 {
		v := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		for _, p := range t.tried[v] {
			if first := p.unit.rows[0].Number; !have[first] {
				have[first], list, open = true, append(list, p), append(open, p.values...)
				if rows += len(p.unit.rows); rows > t.most {
					return nil, intake.ErrTrialTooLarge
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b past) int { return cmp.Compare(a.turn, b.turn) })
	return list, nil
}

// forget drops a unit that was kept.
func (t *trial) forget(p past) {
	for _, v := range p.values {
		t.tried[v] = slices.DeleteFunc(t.tried[v], func(kept past) bool { return kept.turn == p.turn })
	}
	t.room += p.unit.size()
}

// keep remembers what was tried, if it matters to other units. freed are the values that records gave up. Errors:
// intake.ErrTrialTooLarge.
func (t *trial) keep(units []unit, done []outcome, freed map[string][]value) error {
	for i, u := range units {
		if !done[i].changed {
			continue
		}
		own := t.values(u)
		p := past{u, append(own, freed[done[i].id]...), t.turns + done[i].turn}
		matters := slices.ContainsFunc(own, func(v value) bool { return t.wanted[v] > 1 }) ||
			slices.ContainsFunc(freed[done[i].id], func(v value) bool { return t.wanted[v] > 0 })
		if !matters {
			continue
		}
		if t.room -= u.size(); t.room < 0 {
			return intake.ErrTrialTooLarge
		}
		for _, v := range p.values {
			t.tried[v] = append(t.tried[v], p)
		}
	}
	t.turns += len(units)
	return nil
}

// size is about how many bytes of memory the cells of a unit take.
func (u unit) size() (n int64) {
	for _, r := range u.rows {
		for _, cell := range r.Cells {
			n += int64(len(cell)) + cellSize
		}
	}
	return n
}

// cellSize is what a cell takes besides its text.
const cellSize = 16

// watchedRecords are the records of a transaction that is undone. It notes which values each record gives up, by the id of the
// record that a row is about.
type watchedRecords struct {
	ports.Records

	trial *trial
	freed map[string][]value
}

// Write implements ports.Records.
func (w watchedRecords) Write(ctx context.Context, changes ...collection.Change) error {
	for _, c := range changes {
		if c.Before == nil {
			continue
		}
		about := c.Before.ID()
		if c.Schema.Slug == catalog.Variants.Slug {
			about = c.Before.Text("product")
		}
		for _, f := range c.Schema.Fields {
			was := c.Before.Text(f.Name)
			if f.Unique && was != "" && (c.After == nil || c.After.Text(f.Name) != was) {
				w.freed[about] = append(w.freed[about], w.trial.value(c.Schema.Slug, f.Name, was))
			}
		}
	}
	return w.Records.Write(ctx, changes...)
}

// catchUp tries the units again that a dry run which was interrupted has told, up to a row: what they would change is undone, and the
// later ones have to meet it.
func (x *work) catchUp(ctx context.Context, told int) error {
	from, sheet, err := x.open(ctx, x.Kind, x.Blob)
	if err != nil {
		return err
	}
	for err == nil {
		var units []unit
		units, err = from.next(ctx, 0, chunkUnits[x.Kind], chunkRows)
		if later := slices.IndexFunc(units, func(u unit) bool { return u.last() > told }); later >= 0 {
			units = units[:later]
		}
		if err != nil || len(units) == 0 {
			break
		}
		err = x.chunk(ctx, units)
	}
	return errors.Join(err, sheet.Close())
}

// rehearsed is what a rehearsal found out.
type rehearsed struct {
	done  []outcome
	freed map[string][]value // by the id of the record that a row is about
}

// replayError is the refusal of a unit that was applied when it was tried, and cannot be done again: somebody else has taken its
// SKU since, say. It is not about the units that are tried now.
type replayError struct {
	error

	of past
}

// Unwrap is the refusal.
func (r replayError) Unwrap() error { return r.error }

// rehearse applies units, and before them those that they depend on, in a transaction that is undone. What cannot be done again is
// not counted on any more. Errors: intake.ErrTrialTooLarge, those of chunk.apply.
func (x *work) rehearse(ctx context.Context, c chunk) (rehearsed, error) {
	for {
		earlier, err := x.trial.related(c.units)
		if err != nil {
			return rehearsed{}, err
		}
		r, err := x.rehearseAfter(ctx, c, earlier)
		replay, is := errors.AsType[replayError](err)
		if !is {
			return r, err
		}
		x.trial.forget(replay.of)
	}
}

// rehearseAfter applies units after earlier ones. Errors: replayError, those of chunk.apply.
func (x *work) rehearseAfter(ctx context.Context, c chunk, earlier []past) (r rehearsed, err error) {
	err = x.Store.Atomically(ctx, ports.ForPrincipal(c.by), func(ctx context.Context, tx ports.Tx) (err error) {
		watched := watchedRecords{tx.Records, x.trial, map[string][]value{}}
		tx.Records = watched
		c.tx, r.freed = tx, watched.freed
		for _, p := range earlier {
			before := c
			before.units = []unit{p.unit}
			if _, err := x.applyNow(ctx, before); err != nil && isRowError(err) {
				return replayError{err, p}
			} else if err != nil {
				return err
			}
		}
		if r.done, err = x.applyNow(ctx, c); err != nil {
			return err
		}
		return errUndo
	})
	return r, undone(err)
}

// applyNow applies units and has the database refuse by now what it refuses, and not at a later statement.
func (x *work) applyNow(ctx context.Context, c chunk) ([]outcome, error) {
	done, err := c.apply(ctx)
	if err == nil {
		_, err = c.tx.Records.Get(ctx, intake.Imports, x.run.Record().ID())
	}
	return done, err
}
