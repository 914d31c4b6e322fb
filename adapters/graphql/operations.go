package graphql

import (
	"context"
	"fmt"
	"maps"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// operations adds a field for every declared operation: a mutation if it writes, otherwise a query. The
// credentials decide the surface: a secret key uses that of the tenant's server, other credentials that of
// storefronts.
//
// The idempotency key is an argument, because a document may have several mutations; the header applies if
// only one field of the document takes a key. Keys, fingerprints and receipts are those of the REST
// operation, so that a call repeated over the other protocol is answered from its receipt and not executed
// twice. It returns an error if a field of the name exists.
func (b *builder) operations(all []operation.Operation, queries, mutations gql.Fields) error {
	for i := range all {
		o, name := &all[i], fieldName(&all[i])
		if name == "" || isRecordUpload(o) {
			continue
		}
		to := queries
		if o.Mutates {
			to = mutations
		}
		if to[name] != nil {
			return fmt.Errorf("operation %s: the field %s exists already", o.Name, name)
		}
		to[name] = b.operationField(o)
		b.resolvers[name] = operate(o)
		b.describeOperation(name, o)
	}
	return nil
}

// describeOperation notes what the field of an operation means for the limits of a document.
func (b *builder) describeOperation(name string, o *operation.Operation) {
	b.keyed[name] = o.KeyPolicy != operation.NoKey
	b.open[name], b.beyondQuota[name] = o.Credentials == operation.CredentialsOptional, o.BeyondQuota
	b.expensive[name] = o.ChecksPassword
}

// isRecordUpload reports whether o writes records of a collection with a file, for which the collection has
// its own mutation.
func isRecordUpload(o *operation.Operation) bool { return o.Upload != nil && o.Upload.Writes != nil }

// uploadOf is the operation that writes records of s with a file, nil where records have none.
func (b *builder) uploadOf(s *collection.Schema, verb collection.Verb) *operation.Operation {
	for i := range b.declared {
		if o := &b.declared[i]; isRecordUpload(o) && o.Upload.Writes.Slug == s.Slug && o.Upload.Verb == verb {
			return o
		}
	}
	return nil
}

// operate resolves the field of an operation.
func operate(o *operation.Operation) resolver {
	return func(ctx context.Context, r *run, f *plannedField) (any, error) {
		call, at, err := r.operationCall(o, f)
		if err != nil {
			return nil, err
		}
		transport, err := r.transport(ctx, o, f, call)
		if err != nil {
			return nil, err
		}
		answer, err := o.Do(ctx, operation.Request{
			Call: call, Surface: at, Params: operationParams(o, f), Body: operationBody(o, f), Transport: transport,
		})
		if err != nil {
			return nil, err
		}
		if answer.Replayed {
			requestStateOf(r).addReplay(f.key)
		}
		if o.Localized && answer.Fault == nil {
			requestStateOf(r).addWords(answer.Replayed)
		}
		if answer.Fault != nil {
			return nil, replayedFault{answer.Fault, answer.RequestID}
		}
		return r.operationAnswer(o, answer)
	}
}

// operationAnswer is the value of the field of o.
func (r *run) operationAnswer(o *operation.Operation, answer idempotency.Response) (any, error) {
	if o.GraphQLField != nil && o.GraphQLField.Answer == operation.AnswersTrue {
		return true, nil
	}
	body, err := r.source(answer)
	if o.GraphQLField != nil && o.GraphQLField.Answer == operation.AnswersMessage {
		return valueOf(body, "message"), err
	}
	return body, err
}

// transport is what the call has besides its input: its credentials if the operation acts on them, and its file.
func (r *run) transport(ctx context.Context, o *operation.Operation, f *plannedField, call idempotency.Call) (*operation.Transport, error) {
	switch {
	case o.Upload != nil:
		received, err := receive(ctx, o, call, f.args[operation.FileField])
		return &operation.Transport{Received: received}, err
	case o.Credentials != operation.CredentialsRequired:
		state := requestStateOf(r)
		return &operation.Transport{Session: operation.Session{
			Credentials: state.Credentials, AuthError: state.AuthError, GraphQL: true, SetCookie: state.Session,
			ShowAs: func(p tenant.Principal) { r.showAs(p, f) },
		}}, nil
	}
	return nil, nil
}

// receive reads the file of an argument, once it is clear that the caller may send one: to reach it, files that come
// before it may have to be kept. Errors: those of Upload.Authorize, media.ErrNoFile, those of Upload.Receive.
func receive(ctx context.Context, o *operation.Operation, call idempotency.Call, arg any) (operation.ReceivedFile, error) {
	if err := o.Upload.Authorize(call.Principal); err != nil {
		return nil, err
	}
	up, _ := arg.(*gqlrequest.Upload)
	if up == nil {
		return nil, media.ErrNoFile
	}
	file, err := up.Open()
	if err != nil {
		return nil, err
	}
	return o.Upload.Receive(ctx, call.Principal, operation.File{Reader: file, Name: file.Name})
}

// writeWithFile resolves the write of a record whose data may have a file. The file is stored before the
// record that refers to it.
func writeWithFile(o *operation.Operation) resolver {
	return func(ctx context.Context, r *run, f *plannedField) (any, error) {
		data := dataOf(f)
		file := data[operation.FileField]
		delete(data, operation.FileField)
		identity, transport := maps.Clone(data), &operation.Transport{OwnKey: true}
		if file != nil {
			received, err := receive(ctx, o, r.Call, file)
			if err != nil {
				return nil, err
			}
			transport.Received, identity[operation.FileField] = received, received.Fingerprint()
		}
		call := r.writeCall(o.Upload.Writes, o.Upload.Verb, f, identity)
		return r.writtenRecord(o.Do(ctx, operation.Request{
			Call: call, Surface: operation.Root, Params: operationParams(o, f), Body: data, Transport: transport,
		}))
	}
}

// operationCall is the call with its surface, capability token and idempotency key. Errors: fault.ErrUnauthenticated,
// fault.ErrForbidden, idempotency.ErrInvalidKey.
func (r *run) operationCall(o *operation.Operation, f *plannedField) (call idempotency.Call, at operation.Surface, err error) {
	call = r.Call
	if at, err = surfaceOf(o, call.Principal.Kind); err != nil {
		return call, at, err
	}
	call.Server = at == operation.Server
	switch token := f.text(tokenArgs[o.Capability]); {
	case token != "" && o.Capability == operation.CartCapability:
		call.CartToken = token
	case token != "":
		call.CheckoutToken = token
	}
	if key := f.text(argKey); key != "" {
		call.Key, err = idempotency.ParseKey(key)
	} else if r.keyedFields() > 1 {
		call.Key = ""
	}
	return call, at, err
}

// keyedFields is how many fields of the document take an idempotency key.
func (r *run) keyedFields() (n int) {
	for _, f := range r.rootNode.plan.fields {
		if r.keyed[f.name] {
			n++
		}
	}
	return n
}

// surfaceOf is the surface on which callers of the kind use an operation.
func surfaceOf(o *operation.Operation, k tenant.Kind) (operation.Surface, error) {
	switch {
	case o.Admits(operation.Root, k), o.Surfaces == operation.Root:
		return operation.Root, nil
	case k == tenant.Anonymous || k == "":
		return 0, fault.ErrUnauthenticated
	case k == tenant.SecretKey && o.Surfaces&operation.Server != 0:
		return operation.Server, nil
	case k == tenant.SecretKey:
		return 0, fault.ErrForbidden.WithMessage("This operation is for storefronts and requires a client key.")
	case o.Surfaces&operation.Public == 0:
		return 0, fault.ErrForbidden.WithMessage("This operation is for the shop's server and requires a secret key or a server token.")
	}
	return operation.Public, nil
}
