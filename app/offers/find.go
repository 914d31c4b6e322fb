package offers

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxValuesPerQuery is how many values one query may contain: as many as the records that one response may
// embed.
const maxValuesPerQuery = 20_000

// find reads the records whose field is one of wanted and that match and; no query if wanted is empty. Each
// value belongs to at most one of them.
func find(
	ctx context.Context, r ports.Reader, s *collection.Schema, field string, wanted []string, env string, and ...collection.Cond,
) ([]collection.Record, error) {
	var out []collection.Record
	for part := range slices.Chunk(wanted, maxValuesPerQuery) {
		where := append(collection.And{s.Where(field, collection.In, toAny(part)...)}, and...)
		page, err := r.Find(ctx, collection.Query{Schema: s, Environment: env, Where: where, Limit: len(part), Page: 1, SkipCount: true})
		if err != nil {
			return nil, err
		}
		out = append(out, page.Docs...)
	}
	return out, nil
}

func toAny(texts []string) []any {
	out := make([]any, len(texts))
	for i, t := range texts {
		out[i] = t
	}
	return out
}

// unique sorts texts and drops empty ones and duplicates.
func unique(texts []string) []string {
	out := slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return t == "" })
	slices.Sort(out)
	return slices.Compact(out)
}

// distinctTexts are the distinct values of a text field.
func distinctTexts(records []collection.Record, field string) []string {
	out := make([]string, 0, len(records))
	for _, r := range records {
		out = append(out, r.Text(field))
	}
	return unique(out)
}

func recordsIn(byID map[string]collection.Record) []collection.Record {
	out := make([]collection.Record, 0, len(byID))
	for _, r := range byID {
		out = append(out, r)
	}
	return out
}
