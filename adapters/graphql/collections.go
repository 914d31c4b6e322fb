package graphql

import (
	"context"
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// list answers Products.
func (b *builder) list(s *collection.Schema) root {
	return func(ctx context.Context, r *run, f *planned) (any, error) {
		q := content.Query{Where: condition(f.args["where"]), Limit: whole(f.args["limit"], collection.DefaultLimit), Page: whole(f.args["page"], 1)}
		q.Sort, _ = f.args["sort"].(string)
		q.Uncounted = !f.sub.asks("totalDocs", "totalPages", "hasNextPage", "nextPage")
		found, err := r.content.Find(ctx, r.Call.Principal, s, q)
		if err != nil {
			return nil, err
		}
		return pageOf(found), nil
	}
}

// pageOf is a page as its type declares it. A page past the end is empty; an empty result has one page. Spec 2.2.
func pageOf(found content.Records) map[string]any {
	page, pages := int64(found.Page), found.TotalPages()
	out := map[string]any{
		"docs": found.Docs, "totalDocs": found.Total, "limit": int64(found.Limit), "totalPages": pages, "page": page,
		"pagingCounter": (page-1)*int64(found.Limit) + 1, "hasPrevPage": page > 1, "hasNextPage": page < pages,
	}
	if page > 1 {
		out["prevPage"] = page - 1
	}
	if page < pages {
		out["nextPage"] = page + 1
	}
	return out
}

// whole is a whole number argument.
func whole(v any, absent int) int {
	n, ok := v.(collection.Numeral)
	if !ok {
		return absent
	}
	i, _ := strconv.Atoi(string(n)) // reading has checked it
	return i
}

// single answers Product.
func (b *builder) single(s *collection.Schema) root {
	return func(ctx context.Context, r *run, f *planned) (any, error) {
		id, _ := f.args["id"].(string)
		record, err := r.content.One(ctx, r.Call.Principal, s, id)
		if err != nil {
			return nil, err
		}
		return record, nil
	}
}

// counted answers countProducts.
func (b *builder) counted(s *collection.Schema) root {
	return func(ctx context.Context, r *run, f *planned) (any, error) {
		n, err := r.content.Count(ctx, r.Call.Principal, s, condition(f.args["where"]))
		return map[string]any{"totalDocs": n}, err
	}
}

// create answers createProduct.
func (b *builder) create(s *collection.Schema) root {
	return b.write(s, "create", func(ctx context.Context, r *run, call once.Call, _ string, data map[string]any) (once.Answer, error) {
		return r.content.Create(ctx, call, s, data, content.Show{})
	})
}

// update answers updateProduct.
func (b *builder) update(s *collection.Schema) root {
	return b.write(s, "update", func(ctx context.Context, r *run, call once.Call, id string, data map[string]any) (once.Answer, error) {
		return r.content.Update(ctx, call, s, id, data, content.Show{})
	})
}

// remove answers deleteProduct.
func (b *builder) remove(s *collection.Schema) root {
	return b.write(s, "delete", func(ctx context.Context, r *run, call once.Call, id string, _ map[string]any) (once.Answer, error) {
		return r.content.Delete(ctx, call, s, id, content.Show{})
	})
}

// write answers a mutation with the record as it was written, the first time and again: what it selects is read from the
// answer the use case gave. A key belongs to one field of the document, so that two of them under one key are two writes.
func (b *builder) write(s *collection.Schema, verb string, do func(context.Context, *run, once.Call, string, map[string]any) (once.Answer, error)) root {
	return func(ctx context.Context, r *run, f *planned) (any, error) {
		id, _ := f.args["id"].(string)
		data, _ := f.args["data"].(map[string]any)
		call := r.Call
		call.Operation = "graphql." + s.Slug + "." + verb + "." + f.key
		call.Fingerprint = once.Fingerprint("POST", call.Operation, []string{id}, data)
		answer, err := do(ctx, r, call, id, maps.Clone(data))
		if err != nil {
			return nil, err
		}
		if answer.Fault != nil {
			return nil, answer.Fault
		}
		body, err := readTree(answer.Body)
		if err != nil {
			return nil, err
		}
		return valueOf(body, "doc"), nil
	}
}

// readTree reads JSON of ours as a Tree.
func readTree(text []byte) (collection.Tree, error) {
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return numerals(v), err
}

// numerals replaces the numbers of the decoder with ours.
func numerals(v any) any {
	switch v := v.(type) {
	case json.Number:
		return collection.Numeral(v)
	case []any:
		for i, x := range v {
			v[i] = numerals(x)
		}
	case map[string]any:
		for k, x := range v {
			v[k] = numerals(x)
		}
	}
	return v
}
