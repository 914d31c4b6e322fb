package graphql

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

const argID = "id"

// typeMutations adds create, update and delete of every collection whose records are written by operations: the same
// operations under the names and arguments of the generic mutations, with the same access and the same receipts. Where
// a collection has the generic mutation, that is the one. Rule graphql-15.
func (b *builder) typeMutations(all []operation.Operation, mutations gql.Fields) {
	for i := range all {
		o := &all[i]
		s, verb := b.writes(o)
		if s == nil {
			continue
		}
		names := rootNamesOf(s)
		name := map[collection.Verb]string{
			collection.Create: names.create, collection.Update: names.update, collection.Delete: names.remove,
		}[verb]
		record, ok := recordMember(o, s)
		if mutations[name] != nil || !ok {
			continue
		}
		mutations[name] = b.typeMutation(o, name, mutations[fieldName(o)], record)
		b.describeOperation(name, o)
		b.resolvers[name] = writeRecord(o, record)
	}
}

// writes is the collection of which o writes a single record, as its path says, and how; nil: none.
func (b *builder) writes(o *operation.Operation) (*collection.Schema, collection.Verb) {
	if !o.Mutates || o.Deprecated || isRecordUpload(o) {
		return nil, ""
	}
	steps := o.Segments()
	last := len(steps) - 1
	if o.Method == http.MethodPost {
		return b.registry.Get(steps[last]), collection.Create
	}
	verb := map[string]collection.Verb{http.MethodPatch: collection.Update, http.MethodDelete: collection.Delete}[o.Method]
	if verb == "" || last == 0 || !strings.HasPrefix(steps[last], "{") {
		return nil, ""
	}
	return b.registry.Get(steps[last-1]), verb
}

// recordMember is the member of o's answer that is the record; ok is false when it has none.
func recordMember(o *operation.Operation, s *collection.Schema) (f collection.Field, ok bool) {
	i := slices.IndexFunc(o.Output, func(f collection.Field) bool { return f.Kind == collection.Relation && f.Target() == s.Slug })
	if i < 0 {
		return f, false
	}
	return o.Output[i], true
}

// typeMutation is the field of o in the form of the generic mutations: data and id are its input and the record. The
// answer is the record; where o answers what the record does not have, such as the token of a new cart, it is a type of
// its own with the fields of the record and the members of o's answer. own is the field of o in its own form; nil: it
// has none.
func (b *builder) typeMutation(o *operation.Operation, name string, own *gql.Field, record collection.Field) *gql.Field {
	if own == nil {
		named := *o
		named.GraphQL = name
		own = &gql.Field{Args: b.operationArgs(&named), Description: operationDoc(o)}
	}
	args := maps.Clone(own.Args)
	if input := args[argInput]; input != nil {
		delete(args, argInput)
		args[argData] = input
	}
	if alias := ownParam(o); alias != "" {
		id := args[alias]
		delete(args, alias)
		args[argID] = id
	}
	answer := b.object(b.registry.Get(record.Target()))
	if more := membersBeside(o, b.registry.Get(record.Target())); len(more) > 0 {
		record.Fields = slices.Concat(record.Fields, more)
		answer = b.recordType(capitalize(name)+"Result", record)
	}
	return &gql.Field{Type: answer, Args: args, Description: own.Description}
}

// membersBeside are the members of o's answer that no field of its record hides, if any of them says something that
// is no record and no message.
func membersBeside(o *operation.Operation, s *collection.Schema) (more []collection.Field) {
	needed := false
	for _, f := range o.Output {
		if _, hidden := s.Field(f.Name); hidden || f.Name == argID {
			continue
		}
		more = append(more, f)
		needed = needed || f.Kind != collection.Relation && f.Name != "message"
	}
	if !needed {
		return nil
	}
	return more
}

// ownParam is the argument of the record that o updates or deletes; "": it creates one.
func ownParam(o *operation.Operation) string {
	if o.Method == http.MethodPost {
		return ""
	}
	return o.Params[len(o.Params)-1].Alias
}

// writeRecord resolves the field of typeMutation.
func writeRecord(o *operation.Operation, record collection.Field) resolver {
	do := operate(o)
	return func(ctx context.Context, r *run, f *plannedField) (any, error) {
		as := *f
		as.args = maps.Clone(f.args)
		if data, ok := as.args[argData]; ok {
			as.args[argInput] = data
		}
		if alias := ownParam(o); alias != "" {
			as.args[alias] = as.args[argID]
		}
		answer, err := do(ctx, r, &as)
		if err != nil {
			return nil, err
		}
		return mergeRecord(answer, record.Name), nil
	}
}

// mergeRecord is the record in the named member of an answer, with the answer's other members.
func mergeRecord(answer any, name string) map[string]any {
	out := map[string]any{}
	for _, source := range []any{answer, valueOf(answer, name)} { // the record's own fields last
		switch members := source.(type) {
		case map[string]any:
			maps.Copy(out, members)
		case collection.Record:
			maps.Copy(out, members)
		}
	}
	return out
}
