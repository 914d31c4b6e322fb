// Package graphql executes GraphQL documents over the collections of the registry and the declared
// operations. The schema is derived from these declarations: a new collection gets its types, queries and
// mutations without other code. Rules graphql-1, graphql-2.
//
// New makes the schema, and NewEngine an executor for it. Types and validation are those of graphql-go. The
// executor (execute) is our own, because that of the library loses null in inputs and the order of fields,
// does not propagate null from deferred values to their parents, and cannot load the records of a whole level
// together. Options may add graphql-go fields: their resolvers find the request in Info.RootValue and JSON
// values in Args, and return records, JSON values or lists of these. A relation in the answer of an operation
// may be an id or a record, and is resolved either way.
//
// Details that the rules leave open:
//
//   - All callers share one schema. A field for staff is null for others, with one FORBIDDEN error for all records. A field
//     that no one may read is not in output types, but may be in inputs, such as the password of a user.
//   - A relation is null if its record was deleted or is not visible to the caller, in lists too: no item is left out, so that
//     the third image stays the third. REST shows the ids of records that the caller may not read.
//   - A field is non-null only if nothing can make it null: it is required, belongs to a collection that clients write, is
//     visible to everyone, and is neither a relation nor in a group. Otherwise one null would remove its parents.
//   - Integers are Int, or Float if their declared range exceeds 32 bits. Decimals and money are Float, exact in both
//     directions.
//   - Emails are EmailAddress and dates are DateTime in answers and conditions; in data both are String, as in Payload.
//   - The limits of a document (limits.go) apply with fragments expanded: aliases, depth and complexity of each operation, where
//     a list without a limit counts as ten. Introspection is open to everyone, and counts too.
//   - A document is refused as a whole if its credentials are not accepted, unless all of its fields work without a caller, such
//     as logging in.
//   - An operation called with a secret key is that of the server surface, with other credentials that of storefronts. Its
//     result is nullable. Replayed answers are listed in extensions.replayed.
//   - create, update and delete of a collection whose records operations write are those operations (typeMutations). Their
//     answer is the type of the record, or one with its fields and what only the answer has: fragments on the record then
//     belong below the member that has the record.
//   - A condition on a relation takes its id as JSON, and conditions on the related records in where, to any depth.
//   - A collection may declare lists of the records that refer to it (collection.Join), such as the variants of a product. They
//     are loaded like relations. Inline ones are part of the input that creates a record.
//   - The type of a variable may differ from that of its position if every value of it is valid there: String for DateTime or
//     EmailAddress, Int for Float, the enum of answers for that of inputs. Clients that guess the type are not refused.
//   - Enum names have _ for every character that is not allowed in a name; aliases of select values are names too.
//   - A write with an idempotency key is identified by its response key: repeating a document returns the same records.
package graphql

import (
	"context"
	"fmt"
	"maps"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/search"
)

// Options is what the schema is made of.
type Options struct {
	Content *records.Service
	// Operations are the declared operations, including logins and uploads.
	Operations []operation.Operation
	// Queries and Mutations are additional fields. Their resolvers find the request in Info.RootValue and
	// JSON values in Args, and return records, JSON values, or a func() (any, error) that is called when the
	// records of its level are loaded.
	Queries, Mutations gql.Fields
}

// API is the executable schema.
type API struct {
	content      *records.Service
	schema       gql.Schema
	recordFields map[string]map[string]*recordField     // read from records; by type, by field
	joins        map[string]map[string]*collection.Join // by type, by field
	enums        map[*gql.Enum]map[string]any           // stored value by name
	keyed        map[string]bool                        // operations that take an idempotency key, by field
	open         map[string]bool                        // operations that run although credentials were not accepted, by field
	beyondQuota  map[string]bool                        // operations that are never refused for a quota, by field
	expensive    map[string]bool                        // operations that check or hash a password, by field
	translated   map[string]bool                        // fields that name the language of texts
	resolvers    map[string]resolver                    // of collections and operations, by field
}

// resolver resolves one field of Query or Mutation.
type resolver func(ctx context.Context, r *run, f *plannedField) (any, error)

// builder builds the types.
type builder struct {
	*API

	registry *collection.Registry
	declared []operation.Operation
	objects  map[string]*gql.Object      // by slug
	wheres   map[string]*gql.InputObject // by slug
	shared   map[string]*gql.Object      // types of groups that have a name for them
}

// New makes the schema of every collection in the registry of o.Content. It returns an error if two names clash.
func New(o Options) (*API, error) {
	b := &builder{
		API: &API{
			content: o.Content, recordFields: map[string]map[string]*recordField{}, joins: map[string]map[string]*collection.Join{},
			enums: map[*gql.Enum]map[string]any{}, resolvers: map[string]resolver{}, keyed: map[string]bool{},
			translated: map[string]bool{}, open: map[string]bool{}, beyondQuota: map[string]bool{}, expensive: map[string]bool{},
		},
		registry: o.Content.Registry, declared: o.Operations, objects: map[string]*gql.Object{}, wheres: map[string]*gql.InputObject{},
		shared: map[string]*gql.Object{},
	}
	warmEnum(gql.TypeKindEnumType)
	warmEnum(gql.DirectiveLocationEnumType)
	b.shareGroups()
	queries, mutations := gql.Fields{}, gql.Fields{}
	for _, s := range b.registry.All() {
		for name, f := range b.queries(s) {
			if queries[name] != nil {
				return nil, fmt.Errorf("two collections have the query %s: change the singular or plural of one", name)
			}
			queries[name] = f
		}
		maps.Copy(mutations, b.mutations(s))
	}
	if err := b.operations(o.Operations, queries, mutations); err != nil {
		return nil, err
	}
	b.typeMutations(o.Operations, mutations)
	maps.Copy(queries, o.Queries)
	maps.Copy(mutations, o.Mutations)
	var err error
	b.schema, err = gql.NewSchema(gql.SchemaConfig{
		Query:    gql.NewObject(gql.ObjectConfig{Name: "Query", Fields: queries}),
		Mutation: gql.NewObject(gql.ObjectConfig{Name: "Mutation", Fields: mutations}),
	})
	if err != nil {
		return nil, fmt.Errorf("make the GraphQL schema: %w", err)
	}
	return b.API, nil
}

// queries are the fields of Query for s. Rule graphql-1.
func (b *builder) queries(s *collection.Schema) gql.Fields {
	n := rootNamesOf(s)
	where := &gql.ArgumentConfig{Type: b.where(s), Description: "Conditions on the records."}
	number := gql.NewObject(gql.ObjectConfig{Name: n.count, Fields: gql.Fields{"totalDocs": {Type: gql.NewNonNull(gql.Int)}}})
	b.resolvers[n.list], b.resolvers[n.single], b.resolvers[n.count] = b.list(s), b.single(s), b.count(s)
	list := gql.FieldConfigArgument{
		"where": where,
		"sort": {
			Type:        gql.String,
			Description: "Fields to sort by, separated by commas; a leading minus sorts in descending order. Newest first by default.",
		},
		"limit": {Type: gql.Int, Description: "Records per page: 0 to 500, default 10."},
		"page":  {Type: gql.Int, Description: "Page number, from 1."},
	}
	if search.IsTarget(s) {
		list["q"] = &gql.ArgumentConfig{Type: gql.String, Description: search.QueryDoc}
	}
	fields := gql.Fields{
		n.list:   {Type: b.page(s), Description: s.Doc, Args: list},
		n.single: {Type: b.object(s), Description: s.Doc, Args: gql.FieldConfigArgument{"id": {Type: gql.NewNonNull(gql.String)}}},
		n.count:  {Type: number, Args: gql.FieldConfigArgument{"where": where}},
	}
	return b.inLanguages(s, fields)
}

// mutations are the fields of Mutation for s: one for each write that the collection allows.
func (b *builder) mutations(s *collection.Schema) gql.Fields {
	n, out := rootNamesOf(s), gql.Fields{}
	id := &gql.ArgumentConfig{Type: gql.NewNonNull(gql.String)}
	data := func(t *gql.InputObject) *gql.ArgumentConfig { return &gql.ArgumentConfig{Type: gql.NewNonNull(t)} }
	hasInput := len(writable(s)) > 0
	if !s.CommandOnly && hasInput {
		out[n.create] = &gql.Field{Type: b.object(s), Args: gql.FieldConfigArgument{"data": data(b.createInput(s))}}
		b.resolvers[n.create] = b.create(s)
	}
	if hasInput {
		out[n.update] = &gql.Field{Type: b.object(s), Args: gql.FieldConfigArgument{"id": id, "data": data(b.updateInput(s))}}
		b.resolvers[n.update] = b.update(s)
	}
	if !s.CommandOnly && !s.NoDelete {
		out[n.remove] = &gql.Field{Type: b.object(s), Args: gql.FieldConfigArgument{
			"id": id, collection.ExpectedRevision: {Type: gql.Int, Description: collection.ExpectedRevisionField().Doc},
		}}
		b.resolvers[n.remove] = b.remove(s)
	}
	for verb, field := range map[collection.Verb]string{collection.Create: n.create, collection.Update: n.update} {
		if o := b.uploadOf(s, verb); o != nil {
			b.resolvers[field] = writeWithFile(o)
		}
	}
	return b.inLanguages(s, out)
}
