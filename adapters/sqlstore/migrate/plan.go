package migrate

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// plan is the text of what is missing.
func (m *migrator) plan(ctx context.Context, shapes []*table.Shape) (steps []string, err error) {
	var later []string
	done, err := m.upToDate(ctx, shapes)
	if err != nil {
		return nil, err
	}
	due, err := m.shapesToBackfill(ctx, shapes)
	for _, sh := range due {
		later = append(later,
			fmt.Sprintf("-- rows of %s that an older version wrote are filled from their documents, %d at a time", sh.Table, backfillBatch))
	}
	if err != nil || done {
		return later, err
	}
	if m.dialect.Postgres && m.existing["migrations"] == nil {
		steps = roles()
	}
	for _, d := range m.definitions(shapes) {
		if !d.repeats {
			steps = append(steps, d.text)
		}
	}
	steps = append(steps, later...)
	if m.dialect.Postgres {
		policies, err := m.olderPolicies(ctx)
		if err != nil {
			return nil, err
		}
		steps = append(steps, policies...)
	}
	indexes, err := m.missingIndexes(ctx, shapes)
	if err != nil {
		return nil, err
	}
	for _, x := range indexes {
		concurrently := m.dialect.Postgres && m.existing[x.table] != nil
		steps = append(steps, x.create(concurrently, ""))
	}
	return steps, nil
}
