package graphql

import (
	"maps"
	"slices"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The arguments of operations besides those of their paths and inputs.
const (
	argInput    = "input"
	argData     = "data" // of fields for Payload's clients
	argRevision = "expectedRevision"
	argKey      = "idempotencyKey"
)

// tokenArgs are the arguments of capability tokens, for documents with several carts or checkouts; otherwise
// the header is enough.
var tokenArgs = map[operation.Capability]string{operation.CartCapability: "cartToken", operation.CheckoutCapability: "checkoutToken"}

// fieldName is the name of an operation's field, "" where it has none.
func fieldName(o *operation.Operation) string {
	if o.GraphQLField != nil {
		return o.GraphQLField.Name
	}
	return o.GraphQL
}

// operationField is the field of an operation.
func (b *builder) operationField(o *operation.Operation) *gql.Field {
	f := &gql.Field{Type: b.operationResult(o), Description: operationDoc(o), Args: b.operationArgs(o)}
	if o.Deprecated {
		f.DeprecationReason = "Legacy operation of the previous generation."
	}
	return f
}

func operationDoc(o *operation.Operation) string {
	switch {
	case o.GraphQLField != nil && o.GraphQLField.Doc != "":
		return o.GraphQLField.Doc
	case o.Doc != "":
		return o.Summary + ". " + o.Doc
	}
	return o.Summary + "."
}

// operationArgs are the parameters of the path, the input, the file, and what REST sends in headers.
func (b *builder) operationArgs(o *operation.Operation) gql.FieldConfigArgument {
	args := gql.FieldConfigArgument{}
	for _, p := range o.Params {
		args[p.Alias] = &gql.ArgumentConfig{Type: gql.NewNonNull(gql.String), Description: p.Doc}
	}
	if o.GraphQLField != nil {
		b.ownInputArgs(o, args)
	} else {
		b.inputArgs(o, args)
	}
	if o.Translated {
		args = b.localeArgs(fieldName(o), args)
	}
	if o.Upload != nil {
		args[operation.FileField] = &gql.ArgumentConfig{Type: gql.NewNonNull(uploadScalar), Description: o.Upload.Doc}
	}
	if o.KeyPolicy != operation.NoKey {
		args[argKey] = &gql.ArgumentConfig{
			Type:        gql.String,
			Description: "Idempotency key of 16 to 255 visible characters; repeating the call with the same key returns the same answer.",
		}
	}
	if name := tokenArgs[o.Capability]; name != "" {
		args[name] = &gql.ArgumentConfig{Type: gql.String, Description: "The cart or checkout token (default: that of the header)."}
	}
	return args
}

// inputArgs adds the input: one argument of a mutation, an argument for each member of a query.
func (b *builder) inputArgs(o *operation.Operation, args gql.FieldConfigArgument) {
	input := b.inputs(capitalize(o.GraphQL), asInput(o.Input), true)
	if f := input[argRevision]; f != nil {
		args[argRevision] = &gql.ArgumentConfig{Type: f.Type, Description: f.Description}
		delete(input, argRevision)
	}
	switch {
	case !o.Mutates:
		addArgs(args, input)
	case len(input) > 0:
		maps.Copy(input, b.inputs(capitalize(o.GraphQL), o.TenantNames(), false))
		var t gql.Input = gql.NewInputObject(gql.InputObjectConfig{Name: capitalize(o.GraphQL) + "Input", Fields: input})
		if o.BodyRequired() {
			t = gql.NewNonNull(t)
		}
		args[argInput] = &gql.ArgumentConfig{Type: t}
	}
}

// ownInputArgs adds the input of a field that has its own form.
func (b *builder) ownInputArgs(o *operation.Operation, args gql.FieldConfigArgument) {
	own := o.GraphQLField
	if own.Data == "" {
		addArgs(args, b.inputs(capitalize(own.Name), asInput(ownInput(o)), true))
		return
	}
	t := gql.NewInputObject(gql.InputObjectConfig{
		Name: "mutation" + own.Data + "Input", Fields: b.inputs(own.Data, asInput(slices.Concat(ownInput(o), o.TenantNames())), true),
	})
	args[argData] = &gql.ArgumentConfig{Type: gql.NewNonNull(t)}
}

func addArgs(args gql.FieldConfigArgument, input gql.InputObjectConfigFieldMap) {
	for name, f := range input {
		args[name] = &gql.ArgumentConfig{Type: f.Type, Description: f.Description}
	}
}

// ownInput is the input of a field that has its own form.
func ownInput(o *operation.Operation) []collection.Field {
	if o.GraphQLField.Input != nil {
		return o.GraphQLField.Input
	}
	return o.Input
}

// asInput converts fields to those of an input type: fields for servers only are not required, and a record that may be
// described is an object.
func asInput(fields []collection.Field) []collection.Field {
	out := slices.Clone(fields)
	for i := range out {
		f := &out[i]
		f.Required = f.Required && f.VisibleTo == collection.Everyone
		if f.Kind == collection.Relation && len(f.Fields) > 0 {
			f.Kind = collection.Group
			f.Fields = append([]collection.Field{{Name: "id", Kind: collection.Text, Doc: "Id of the record, if it exists."}}, f.Fields...)
		}
		f.Fields = asInput(f.Fields)
	}
	return out
}

// operationResult is the result type of an operation.
func (b *builder) operationResult(o *operation.Operation) gql.Output {
	name, output := capitalize(fieldName(o))+"Result", o.Output
	if own := o.GraphQLField; own != nil {
		switch {
		case own.Answer == operation.AnswersMessage:
			return gql.String
		case own.Answer == operation.AnswersTrue:
			return gql.Boolean
		case own.Result != "":
			name = own.Result
		}
		if own.Output != nil {
			output = own.Output
		}
	}
	if o.Unwrapped {
		return b.unwrappedResult(output[0])
	}
	return gql.NewObject(gql.ObjectConfig{Name: name, Fields: gql.FieldsThunk(func() gql.Fields { return b.answerFields(name, output) })})
}

// answerFields are the fields of an operation's answer. Only those declared NonNull are non-null: members for
// servers are missing for storefronts, and an answer may have one of several forms.
func (b *builder) answerFields(at string, fields []collection.Field) gql.Fields {
	out := gql.Fields{}
	for _, f := range fields {
		t := b.answerFieldType(at+"_"+capitalize(f.Name), f)
		if f.NonNull {
			t = gql.NewNonNull(t)
		}
		out[f.Name] = &gql.Field{Type: t, Description: f.Doc}
	}
	return out
}

func (b *builder) answerFieldType(name string, f collection.Field) gql.Output {
	switch f.Kind {
	case collection.Relation, collection.Upload:
		return b.recordType(name, f)
	case collection.RelationMany, collection.UploadMany:
		return gql.NewList(gql.NewNonNull(b.recordType(name, f)))
	case collection.Group:
		return b.sharedObject(name, f, func(name string) gql.Fields { return b.answerFields(name, f.Fields) })
	case collection.Array:
		return gql.NewList(gql.NewNonNull(gql.NewObject(gql.ObjectConfig{
			Name: name, Description: f.Doc, Fields: b.answerFields(name, f.Fields),
		})))
	case collection.Texts, collection.Selects:
		return gql.NewList(gql.NewNonNull(gql.String))
	case collection.Date:
		return dateScalar
	case collection.JSON, collection.RichText:
		return jsonScalar
	default: // one scalar
	}
	return scalarType(f)
}

// recordType is the type of a record in an answer: that of its collection, or its own if it has additional members.
func (b *builder) recordType(name string, f collection.Field) *gql.Object {
	s := b.registry.Get(f.Target())
	if len(f.Fields) == 0 {
		return b.object(s)
	}
	fields := b.outputs(name, s, s.AllFields(), inRecord)
	for more, field := range b.answerFields(name, f.Fields) {
		if own, _ := s.Field(more); own.Kind.Related() {
			continue // a relation is resolved whether the answer has its record or its id
		}
		fields[more] = field
		delete(b.recordFields[name], more)
	}
	return gql.NewObject(gql.ObjectConfig{Name: name, Description: f.Doc, Fields: fields})
}

// unwrappedResult is the type of an answer that is a record itself. Operations with the same answer share it.
func (b *builder) unwrappedResult(f collection.Field) *gql.Object {
	name := capitalize(f.Name)
	if b.objects[name] == nil {
		b.objects[name] = b.recordType(name, f)
	}
	return b.objects[name]
}

// operationParams are the parameters of the path.
func operationParams(o *operation.Operation, f *plannedField) []string {
	params := make([]string, len(o.Params))
	for i := range params {
		params[i] = f.text(o.Params[i].Alias)
	}
	return params
}

// operationBody is the input in the form in which REST sends it.
func operationBody(o *operation.Operation, f *plannedField) map[string]any {
	body := map[string]any{}
	if o.GraphQLField != nil {
		if data, ok := f.args[argData].(map[string]any); ok {
			maps.Copy(body, data)
		}
		copyArgs(body, ownInput(o), f)
		return body
	}
	if input, ok := f.args[argInput].(map[string]any); ok {
		maps.Copy(body, input)
	}
	if !o.Mutates {
		copyArgs(body, o.Input, f)
	} else if v := f.args[argRevision]; v != nil {
		body[argRevision] = v
	}
	if filter, ok := o.FilterInput(); ok && body[filter.Name] != nil {
		body[filter.Name] = condition(body[filter.Name])
	}
	return body
}

func copyArgs(body map[string]any, input []collection.Field, f *plannedField) {
	for _, in := range input {
		if v := f.args[in.Name]; v != nil {
			body[in.Name] = v
		}
	}
}
