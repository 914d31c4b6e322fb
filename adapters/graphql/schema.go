// Package graphql answers GraphQL documents over every collection of the registry, and nothing but the registry says what
// there is: a new collection has its types, queries and mutations with no other code. Rules graphql-1, graphql-2.
//
// New makes the schema, NewEngine what answers documents on it. The types and their validation are those of graphql-go;
// what runs a document (execute) is our own, because the library loses null in inputs, the order of members, and what a
// null does to its parents when a value comes later, and cannot gather what a level of an answer leads to. Fields besides
// those of collections come as ordinary graphql-go fields in Options: their resolvers find the call in
// Info.RootValue (callOf), Trees in Args, and answer records, Trees or lists of such. A relation of a record that came as
// a Tree, from the answer of an operation, is its id, and is followed all the same.
//
// Details that the rules leave open:
//
//   - One schema for everybody. A field that only staff sees reads null to others, with one FORBIDDEN error for all
//     records; a field that nobody sees is not in the schema, but may be in inputs, as the password of a user is.
//   - A relation reads null where the record was deleted or is not for the caller, in lists too: nothing is left out of
//     them, so that the third image stays the third. Whoever needs the id of a record they may not read finds it in REST.
//   - A field is non-null only where nothing can take its value away: required ones of collections that are written by
//     clients, seen by everybody, no relation and not within a group. Elsewhere one null would take its parents along.
//   - Whole numbers are Int, but Float where their range is declared to be larger than 32 bits. Decimals and money are
//     Float, exact in both directions.
//   - Emails are EmailAddress, dates DateTime, in answers and conditions; in data both are String, as Payload has it.
//   - What a document may ask for (limits.go) is counted with its fragments written out: aliases, depth and complexity of
//     each operation, where a list without a limit counts ten. Introspection is open to everybody and counts too.
//   - A document is refused whole when its credentials are not accepted, unless it asks for nothing but to log in.
//   - Of an operation, a secret key makes the server's, any other credential the storefront's. What it answers is never
//     non-null. Answers from a receipt are listed in extensions.replayed.
//   - A condition on a relation takes its id as JSON, and conditions on the related records in where, to any depth.
//   - A collection may declare lists of records elsewhere that name its own (collection.Join): the variants of a product.
//     They are loaded like relations, and where they may come with a new record they are in its input.
//   - A variable may be of another type than its place where every value of it can be read there: String for DateTime or
//     EmailAddress, Int for Float, the enum of answers for that of inputs. Clients that guess the type are not refused.
//   - Enum names have _ for every character that a name cannot have; accepted aliases of select values are names too.
//   - A write under an idempotency key belongs to its key in the answer: the same document again answers the same records.
package graphql

import (
	"context"
	"fmt"
	"maps"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Options is what the schema is made of.
type Options struct {
	Content *records.Service
	// Operations are the fields besides reading and writing records, logins and uploads among them.
	Operations []operation.Operation
	// Queries and Mutations are fields besides those of collections. Their resolvers find the root value of the execution
	// in Info.RootValue, Trees in Args, and answer records, Trees, or a func() (any, error) that is called when the
	// records of its level are loaded.
	Queries, Mutations gql.Fields
}

// API is the executable schema.
type API struct {
	content   *records.Service
	schema    gql.Schema
	columns   map[string]map[string]*recordField     // by type, by field: what is read from records
	joins     map[string]map[string]*collection.Join // by type, by field
	enums     map[*gql.Enum]map[string]any           // stored value by name
	keyed     map[string]bool                        // operations that take an idempotency key, by field
	open      map[string]bool                        // operations that run beside credentials that were not accepted, by field
	expensive map[string]bool                        // operations that check or hash a password, by field
	resolvers map[string]resolver                    // of collections, by field
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
}

// New makes the schema of every collection in the registry of o.Content. It errors where two names clash.
func New(o Options) (*API, error) {
	b := &builder{
		API: &API{
			content: o.Content, columns: map[string]map[string]*recordField{}, joins: map[string]map[string]*collection.Join{},
			enums: map[*gql.Enum]map[string]any{}, resolvers: map[string]resolver{}, keyed: map[string]bool{},
			open: map[string]bool{}, expensive: map[string]bool{},
		},
		registry: o.Content.Registry, declared: o.Operations, objects: map[string]*gql.Object{}, wheres: map[string]*gql.InputObject{},
	}
	warmEnum(gql.TypeKindEnumType)
	warmEnum(gql.DirectiveLocationEnumType)
	queries, mutations := gql.Fields{}, gql.Fields{}
	for _, s := range b.registry.All() {
		for name, f := range b.queries(s) {
			if queries[name] != nil {
				return nil, fmt.Errorf("two collections both have a query %s: give one another singular or plural", name)
			}
			queries[name] = f
		}
		maps.Copy(mutations, b.mutations(s))
	}
	if err := b.operations(o.Operations, queries, mutations); err != nil {
		return nil, err
	}
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
	where := &gql.ArgumentConfig{Type: b.where(s), Description: "Which records."}
	number := gql.NewObject(gql.ObjectConfig{Name: n.count, Fields: gql.Fields{"totalDocs": {Type: gql.NewNonNull(gql.Int)}}})
	b.resolvers[n.list], b.resolvers[n.single], b.resolvers[n.count] = b.list(s), b.single(s), b.count(s)
	return gql.Fields{
		n.list: {Type: b.page(s), Description: s.Doc, Args: gql.FieldConfigArgument{
			"where": where,
			"sort":  {Type: gql.String, Description: "Fields with commas between them, - before a field for descending order; the newest come first without it."},
			"limit": {Type: gql.Int, Description: "Records a page, 0 to 500; 10 without it."},
			"page":  {Type: gql.Int, Description: "From 1."},
		}},
		n.single: {Type: b.object(s), Description: s.Doc, Args: gql.FieldConfigArgument{"id": {Type: gql.NewNonNull(gql.String)}}},
		n.count:  {Type: number, Args: gql.FieldConfigArgument{"where": where}},
	}
}

// mutations are the fields of Mutation for s: none for what the collection never takes.
func (b *builder) mutations(s *collection.Schema) gql.Fields {
	n, out := rootNamesOf(s), gql.Fields{}
	id := &gql.ArgumentConfig{Type: gql.NewNonNull(gql.String)}
	data := func(t *gql.InputObject) *gql.ArgumentConfig { return &gql.ArgumentConfig{Type: gql.NewNonNull(t)} }
	may := len(writable(s)) > 0
	if !s.CommandOnly && may {
		out[n.create] = &gql.Field{Type: b.object(s), Args: gql.FieldConfigArgument{"data": data(b.createInput(s))}}
		b.resolvers[n.create] = b.create(s)
	}
	if may {
		out[n.update] = &gql.Field{Type: b.object(s), Args: gql.FieldConfigArgument{"id": id, "data": data(b.updateInput(s))}}
		b.resolvers[n.update] = b.update(s)
	}
	if !s.CommandOnly && !s.NoDelete {
		out[n.remove] = &gql.Field{Type: b.object(s), Args: gql.FieldConfigArgument{"id": id}}
		b.resolvers[n.remove] = b.remove(s)
	}
	for verb, field := range map[collection.Verb]string{collection.Create: n.create, collection.Update: n.update} {
		if o := b.uploadOf(s, verb); o != nil {
			b.resolvers[field] = writeWithFile(o)
		}
	}
	return out
}
