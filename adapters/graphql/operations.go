package graphql

import (
	"context"
	"fmt"
	"maps"
	"slices"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The arguments of operations besides those of their paths and inputs. Contract 7.
const (
	argInput    = "input"
	argRevision = "expectedRevision"
	argKey      = "idempotencyKey"
)

// tokenArgs are the capabilities by holder, for documents that touch several carts; alone, the header will do.
var tokenArgs = map[operation.Holder]string{operation.CartHolder: "cartToken", operation.CheckoutHolder: "checkoutToken"}

// operations adds a field for every declared operation: a mutation where it changes something, else a query. Whether it
// acts for a storefront or for the shop's server is up to the credential: a secret key is the server.
//
// An idempotency key is an argument, since a document may hold several mutations; the header holds for the one that is
// keyed when there is no other. Keys, fingerprints and receipts are those of the REST operation, so that a call sent
// again by the other road is answered again and not done twice.
// It errors where a field has the name already.
func (b *builder) operations(all []operation.Operation, queries, mutations gql.Fields) error {
	for i := range all {
		o := &all[i]
		if o.GraphQL == "" {
			continue
		}
		to := queries
		if o.Changes {
			to = mutations
		}
		if to[o.GraphQL] != nil {
			return fmt.Errorf("operation %s: there is a field %s already", o.Name, o.GraphQL)
		}
		doc := o.Summary + "."
		if o.Doc != "" {
			doc += " " + o.Doc
		}
		f := &gql.Field{Type: b.operationResult(o), Description: doc, Args: b.operationArgs(o)}
		if o.Deprecated {
			f.DeprecationReason = "It is of the previous generation."
		}
		to[o.GraphQL] = f
		b.roots[o.GraphQL] = operate(o)
		if o.Key != operation.NoKey {
			b.keyed[o.GraphQL] = true
		}
	}
	return nil
}

// operationArgs are the ids of the path, the input (of a query: its members), and what goes in headers over REST.
func (b *builder) operationArgs(o *operation.Operation) gql.FieldConfigArgument {
	args := gql.FieldConfigArgument{}
	for _, p := range o.Params {
		args[p.Alias] = &gql.ArgumentConfig{Type: gql.NewNonNull(gql.String), Description: p.Doc}
	}
	input := b.inputs(capital(o.GraphQL), asInput(o.Input), true)
	if f := input[argRevision]; f != nil {
		args[argRevision] = &gql.ArgumentConfig{Type: f.Type, Description: f.Description}
		delete(input, argRevision)
	}
	switch {
	case !o.Changes:
		for name, f := range input {
			args[name] = &gql.ArgumentConfig{Type: f.Type, Description: f.Description}
		}
	case len(input) > 0:
		var t gql.Input = gql.NewInputObject(gql.InputObjectConfig{Name: capital(o.GraphQL) + "Input", Fields: input})
		if o.BodyRequired() {
			t = gql.NewNonNull(t)
		}
		args[argInput] = &gql.ArgumentConfig{Type: t}
	}
	if o.Key != operation.NoKey {
		args[argKey] = &gql.ArgumentConfig{Type: gql.String, Description: "16 to 255 visible characters; the same call again under it is answered again."}
	}
	if name := tokenArgs[o.Holder]; name != "" {
		args[name] = &gql.ArgumentConfig{Type: gql.String, Description: "The capability; without it, the one of the header."}
	}
	return args
}

// asInput is fields as an input type declares them: what only servers send cannot be required of everybody, and a
// record that may be described is an object.
func asInput(fields []collection.Field) []collection.Field {
	out := slices.Clone(fields)
	for i := range out {
		f := &out[i]
		f.Required = f.Required && f.Read == collection.Everyone
		if f.Kind == collection.Relation && len(f.Fields) > 0 {
			f.Kind = collection.Group
			f.Fields = append([]collection.Field{{Name: "id", Kind: collection.Text, Doc: "The record, if there is one."}}, f.Fields...)
		}
		f.Fields = asInput(f.Fields)
	}
	return out
}

// operationResult is the type of what an operation answers.
func (b *builder) operationResult(o *operation.Operation) *gql.Object {
	if o.Bare {
		return b.bare(o.Output[0])
	}
	name := capital(o.GraphQL) + "Result"
	return gql.NewObject(gql.ObjectConfig{Name: name, Fields: gql.FieldsThunk(func() gql.Fields { return b.members(name, o.Output) })})
}

// members are fields that are read from the answer as they stand. None must be there: what is for servers is missing for
// storefronts, and an answer may be one of several.
func (b *builder) members(at string, fields []collection.Field) gql.Fields {
	out := gql.Fields{}
	for _, f := range fields {
		out[f.Name] = &gql.Field{Type: b.memberType(at+"_"+capital(f.Name), f), Description: f.Doc}
	}
	return out
}

func (b *builder) memberType(name string, f collection.Field) gql.Output {
	switch f.Kind {
	case collection.Relation, collection.Upload:
		return b.recordType(name, f)
	case collection.RelationMany, collection.UploadMany:
		return gql.NewList(gql.NewNonNull(b.recordType(name, f)))
	case collection.Group:
		return gql.NewObject(gql.ObjectConfig{Name: name, Description: f.Doc, Fields: b.members(name, f.Fields)})
	case collection.Array:
		return gql.NewList(gql.NewNonNull(gql.NewObject(gql.ObjectConfig{Name: name, Description: f.Doc, Fields: b.members(name, f.Fields)})))
	case collection.Texts, collection.Selects:
		return gql.NewList(gql.NewNonNull(gql.String))
	case collection.Date:
		return dateScalar
	case collection.JSON, collection.RichText:
		return jsonScalar
	default: // the rest is one scalar
	}
	return plain(f)
}

// recordType is the type of a record in an answer: its collection's, or one of its own where it has members besides.
func (b *builder) recordType(name string, f collection.Field) *gql.Object {
	s := b.registry.Get(f.Target())
	if len(f.Fields) == 0 {
		return b.object(s)
	}
	fields := b.outputs(name, s, s.All(), inRecord)
	for more, field := range b.members(name, f.Fields) {
		if own, _ := s.Field(more); own.Kind.Related() {
			continue // a relation is followed all the same, whether its record stands in the answer or its id
		}
		fields[more] = field
		delete(b.columns[name], more)
	}
	return gql.NewObject(gql.ObjectConfig{Name: name, Description: f.Doc, Fields: fields})
}

// bare is the type of a record that is an answer by itself. Operations that answer alike share it.
func (b *builder) bare(f collection.Field) *gql.Object {
	name := capital(f.Name)
	if b.objects[name] == nil {
		b.objects[name] = b.recordType(name, f)
	}
	return b.objects[name]
}

// operate answers the field of an operation.
func operate(o *operation.Operation) root {
	return func(ctx context.Context, r *run, f *planned) (any, error) {
		call, at, err := r.operationCall(o, f)
		if err != nil {
			return nil, err
		}
		answer, err := o.Do(ctx, operation.Request{Call: call, At: at, Params: operationParams(o, f), Body: operationBody(o, f)})
		if err != nil {
			return nil, err
		}
		if answer.Replayed {
			callFrom(r).tellReplay(f.key)
		}
		if answer.Fault != nil {
			return nil, replayed{answer.Fault, answer.RequestID}
		}
		return readTree(answer.Body)
	}
}

// operationCall is who calls, with which capability and under which key. Errors: fault.ErrUnauthenticated,
// fault.ErrForbidden, once.ErrKeyInvalid.
func (r *run) operationCall(o *operation.Operation, f *planned) (call once.Call, at operation.Place, err error) {
	call = r.Call
	if at, err = placeOf(o, call.Principal.Kind); err != nil {
		return call, at, err
	}
	call.Server = at == operation.Server
	switch token := f.text(tokenArgs[o.Holder]); {
	case token != "" && o.Holder == operation.CartHolder:
		call.CartToken = token
	case token != "":
		call.CheckoutToken = token
	}
	if key := f.text(argKey); key != "" {
		call.Key, err = once.Unquote(key)
	} else if r.keyedFields() > 1 {
		call.Key = ""
	}
	return call, at, err
}

// keyedFields is how many fields of the document take an idempotency key.
func (r *run) keyedFields() (n int) {
	for _, f := range r.top.plan.fields {
		if r.keyed[f.name] {
			n++
		}
	}
	return n
}

// placeOf is where a caller finds an operation.
func placeOf(o *operation.Operation, k tenant.Kind) (operation.Place, error) {
	switch {
	case o.At&operation.Root != 0:
		return operation.Root, nil
	case k == tenant.Anonymous || k == "":
		return 0, fault.ErrUnauthenticated
	case k == tenant.SecretKey && o.At&operation.Server != 0:
		return operation.Server, nil
	case k == tenant.SecretKey:
		return 0, fault.ErrForbidden.Saying("This is for storefronts: it takes a client key.")
	case o.At&operation.Public == 0:
		return 0, fault.ErrForbidden.Saying("This is for the shop's server: it takes a secret key or a server token.")
	}
	return operation.Public, nil
}

func operationParams(o *operation.Operation, f *planned) []string {
	params := make([]string, len(o.Params))
	for i := range params {
		params[i] = f.text(o.Params[i].Alias)
	}
	return params
}

// operationBody is the input as REST has it in a body or in the address.
func operationBody(o *operation.Operation, f *planned) map[string]any {
	body := map[string]any{}
	if input, ok := f.args[argInput].(map[string]any); ok {
		maps.Copy(body, input)
	}
	for _, in := range o.Input {
		if v := f.args[in.Name]; v != nil && (!o.Changes || in.Name == argRevision) {
			body[in.Name] = v
		}
	}
	if filter, filters := o.Filters(); filters && body[filter.Name] != nil {
		body[filter.Name] = condition(body[filter.Name])
	}
	return body
}
