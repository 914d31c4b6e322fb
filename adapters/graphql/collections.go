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
	return func(ctx context.Context, r *run, f *planned) (any, error) {
		data := dataOf(f)
		return written(r.content.Create(ctx, r.once(s, collection.Create, f, data), s, data, content.Show{}))
	}
}

// update answers updateProduct.
func (b *builder) update(s *collection.Schema) root {
	return func(ctx context.Context, r *run, f *planned) (any, error) {
		id, _ := f.args["id"].(string)
		data := dataOf(f)
		return written(r.content.Update(ctx, r.once(s, collection.Update, f, data), s, id, data, content.Show{}))
	}
}

// remove answers deleteProduct.
func (b *builder) remove(s *collection.Schema) root {
	return func(ctx context.Context, r *run, f *planned) (any, error) {
		id, _ := f.args["id"].(string)
		return written(r.content.Delete(ctx, r.once(s, collection.Delete, f, nil), s, id, content.Show{}))
	}
}

func dataOf(f *planned) map[string]any {
	data, _ := f.args["data"].(map[string]any)
	return maps.Clone(data)
}

// once is the call of one field of Mutation. A key belongs to one member of the answer, so that two fields of a document
// under one key are two writes.
func (r *run) once(s *collection.Schema, verb collection.Verb, f *planned, data map[string]any) once.Call {
	id, _ := f.args["id"].(string)
	call := r.Call
	call.Operation = "graphql." + s.Slug + "." + string(verb) + "." + f.key
	call.Fingerprint = once.Fingerprint("POST", call.Operation, []string{id}, data)
	return call
}

// written is the record as it was written, the first time and again: what is selected is read from the answer of the use
// case.
func written(answer once.Answer, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if answer.Fault != nil {
		return nil, replayed{answer.Fault, answer.RequestID}
	}
	body, err := readTree(answer.Body)
	return valueOf(body, "doc"), err
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
