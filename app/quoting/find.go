package quoting

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxWanted is how many values one query asks for: as many records as one answer may be made of.
const maxWanted = 20_000

// find reads the records whose field is one of wanted and that also pass and; no query when nothing is wanted. At most
// one of them has each value.
func find(ctx context.Context, r ports.Reader, s *collection.Schema, field string, wanted []string, env string, and ...collection.Cond) ([]collection.Record, error) {
	var out []collection.Record
	for part := range slices.Chunk(wanted, maxWanted) {
		where := append(collection.And{s.Where(field, collection.In, values(part)...)}, and...)
		page, err := r.Find(ctx, collection.Query{Schema: s, Environment: env, Where: where, Limit: len(part), Page: 1, Uncounted: true})
		if err != nil {
			return nil, err
		}
		out = append(out, page.Docs...)
	}
	return out, nil
}

func values(texts []string) []any {
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

// ids are the different values of a textual field.
func ids(records []collection.Record, field string) []string {
	out := make([]string, 0, len(records))
	for _, r := range records {
		out = append(out, r.Text(field))
	}
	return unique(out)
}

func slicesOf(byID map[string]collection.Record) []collection.Record {
	out := make([]collection.Record, 0, len(byID))
	for _, r := range byID {
		out = append(out, r)
	}
	return out
}
