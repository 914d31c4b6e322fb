package graphql

import (
	"context"
	"maps"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// list resolves a list of records, such as Products.
func (b *builder) list(s *collection.Schema) resolver {
	return func(ctx context.Context, r *run, f *plannedField) (any, error) {
		q := records.Query{
			Where: condition(f.args["where"]), Limit: intArg(f.args["limit"], collection.DefaultLimit), Page: intArg(f.args["page"], 1),
		}
		q.Sort, _ = f.args["sort"].(string)
		q.Search, _ = f.args["q"].(string)
		q.Uncounted = !f.sub.selects("totalDocs", "totalPages", "hasNextPage", "nextPage")
		found, err := r.content.Find(ctx, r.Call.Principal, s, q)
		if err != nil {
			return nil, err
		}
		if r.listed += found.Bytes; r.listed > maxListBytes {
			r.fatal = nodeFault{records.ErrAnswerTooLarge.WithMessage("The lists of the document have more than %d bytes.", maxListBytes), f.node}
			return nil, nil
		}
		return pageOf(found), nil
	}
}

// pageOf is a page as its type declares it. A page past the end is empty; an empty result has one page.
// Rules collections-2, collections-7.
func pageOf(found records.RecordPage) map[string]any {
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

// intArg is an integer argument, or missing when it is not given.
func intArg(v any, missing int) int {
	n, ok := v.(collection.JSONNumber)
	if !ok {
		return missing
	}
	i, _ := strconv.Atoi(string(n)) // checked when the arguments were read
	return i
}

// single resolves a record by id, such as Product.
func (b *builder) single(s *collection.Schema) resolver {
	return func(ctx context.Context, r *run, f *plannedField) (any, error) {
		id, _ := f.args["id"].(string)
		record, err := r.content.GetRecord(ctx, r.Call.Principal, s, id)
		if err != nil {
			return nil, err
		}
		return record, nil
	}
}

// count resolves a count, such as countProducts.
func (b *builder) count(s *collection.Schema) resolver {
	return func(ctx context.Context, r *run, f *plannedField) (any, error) {
		n, err := r.content.Count(ctx, r.Call.Principal, s, condition(f.args["where"]))
		return map[string]any{"totalDocs": n}, err
	}
}

// create resolves createProduct.
func (b *builder) create(s *collection.Schema) resolver {
	return func(ctx context.Context, r *run, f *plannedField) (any, error) {
		data := dataOf(f)
		return r.writtenRecord(r.content.Create(ctx, r.writeCall(s, collection.Create, f, data), s, data, records.Projection{}))
	}
}

// update resolves updateProduct.
func (b *builder) update(s *collection.Schema) resolver {
	return func(ctx context.Context, r *run, f *plannedField) (any, error) {
		id, _ := f.args["id"].(string)
		data := dataOf(f)
		return r.writtenRecord(r.content.Update(ctx, r.writeCall(s, collection.Update, f, data), s, id, data, records.Projection{}))
	}
}

// remove resolves deleteProduct.
func (b *builder) remove(s *collection.Schema) resolver {
	return func(ctx context.Context, r *run, f *plannedField) (any, error) {
		id, _ := f.args["id"].(string)
		call := r.writeCall(s, collection.Delete, f, nil)
		if expected, ok := f.args[collection.ExpectedRevision]; ok {
			var err error
			if call.ExpectedRevision, err = collection.ReadRevision(collection.ExpectedRevision, expected); err != nil {
				return nil, err
			}
		}
		return r.writtenRecord(r.content.Delete(ctx, call, s, id, records.Projection{}))
	}
}

func dataOf(f *plannedField) map[string]any {
	data, _ := f.args["data"].(map[string]any)
	return maps.Clone(data)
}

// writeCall is the call of one field of Mutation. Its operation contains the response key, so that two fields
// of a document with the same idempotency key are two writes.
func (r *run) writeCall(s *collection.Schema, verb collection.Verb, f *plannedField, data map[string]any) idempotency.Call {
	id, _ := f.args["id"].(string)
	call := r.Call
	call.Operation = "graphql." + s.Slug + "." + string(verb) + "." + f.key
	ids := []string{id}
	if in := call.Principal.Content; in.Named() {
		ids = append(ids, in.Tag(call.Principal.Tenant))
	}
	call.Fingerprint = idempotency.Fingerprint("POST", call.Operation, ids, data)
	return call
}

// source is the answer of a use case, from which fields are resolved, as visible to the principal.
func (r *run) source(answer idempotency.Response) (any, error) {
	return answer.Body.Source(records.Audience(r.loader.principal))
}

// writtenRecord is the record that a write answered, whether executed or replayed. Selected fields are read from it.
func (r *run) writtenRecord(answer idempotency.Response, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if answer.Fault != nil {
		return nil, replayedFault{answer.Fault, answer.RequestID}
	}
	body, err := r.source(answer)
	return valueOf(body, "doc"), err
}
