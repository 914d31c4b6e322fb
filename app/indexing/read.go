package indexing

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// ReadAtOnce is how many records are read at once.
const ReadAtOnce = 250

// ReadMany reads the records that some of values call for by a condition, but for damaged ones: nobody can read those.
func ReadMany(
	ctx context.Context, r ports.Reader, s *collection.Schema, values []string, where func(some []string) collection.Cond,
) (all []collection.Record, err error) {
	for some := range slices.Chunk(values, ReadAtOnce) {
		q := collection.Query{Schema: s, Where: where(some), LeaveOutDamaged: true}
		err = ports.FindEach(ctx, r, q, func(page []collection.Record) error {
			all = append(all, page...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// In is the condition that a field of s is one of some values.
func In(s *collection.Schema, field string) func(values []string) collection.Cond {
	return func(values []string) collection.Cond { return collection.FieldIn(s, field, values) }
}

// Missing are those of ids that none of docs has.
func Missing(ids []string, docs []collection.Record) []string {
	there := map[string]bool{}
	for _, d := range docs {
		there[d.ID()] = true
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return there[id] })
}
