package graphql

import (
	"context"
	"fmt"
	"strconv"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxEmbedded bounds the related records in one response, including repeated ones, as in REST.
const maxEmbedded = 20_000

// maxListBytes bounds the records of all lists of one document as they are stored, maxAnswerBytes its answer.
const (
	maxListBytes   = 2 * records.MaxPageBytes
	maxAnswerBytes = 2 * records.MaxPageBytes
)

// execution is one operation to run. The document has been validated.
type execution struct {
	Call      idempotency.Call
	Root      any // root value of graphql-go resolvers
	Operation *ast.OperationDefinition
	Fragments map[string]*ast.FragmentDefinition
	Variables map[string]any // as sent
}

// result is the outcome of an execution.
type result struct {
	Data     []byte // JSON; "null" when an error reached the root
	Failures []failure
}

// failure is one error of a response.
type failure struct {
	Err  error
	Path []any // keys, and int64 indexes
	Node *ast.Field
}

// execute runs an operation level by level: all fields of a level are resolved before their relations are
// loaded, in one query per collection. Response keys are in document order. The fields of Mutation run one
// after the other, each with its whole selection. It returns an error if there is no result at all: invalid
// variables, an expired deadline, or a response that would be too large.
func (a *API) execute(ctx context.Context, t execution) (out result, err error) {
	defer recoverInto(&out, &err)
	if t.Variables, err = a.variables(t.Operation, t.Variables); err != nil {
		return result{}, err
	}
	memory := ports.MemoryOf(ctx)
	r := &run{API: a, ctx: ctx, execution: t, growth: reply.Growth{Most: maxAnswerBytes, Memory: memory}}
	p := &planner{inputReader: inputReader{a, t.Variables}, fragments: t.Fragments, audience: records.Audience(t.Call.Principal)}
	r.planner = p
	on, serially := a.schema.QueryType(), t.Operation.Operation == ast.OperationTypeMutation
	if serially {
		on = a.schema.MutationType()
	} else {
		memory.AllowRefusal()
	}
	top := &node{plan: p.plan(on, []*ast.SelectionSet{t.Operation.SelectionSet})}
	top.values = make([]any, len(top.plan.fields))
	r.rootNode = top
	if err := r.readLanguage(top.plan.fields, serially); err != nil {
		return result{}, err
	}
	r.resetLoader()
	for i, f := range top.plan.fields {
		if f.direct || r.fatal != nil {
			continue
		}
		if r.resolve(top, i, f); serially {
			r.finishMutationField(top, i, f)
		}
	}
	r.resolveDeferred()
	if r.fatal != nil {
		return result{}, r.fatal
	}
	data, ok := r.appendNode(make([]byte, 0, 4<<10), top)
	if r.fatal != nil {
		return result{}, r.fatal
	}
	if !ok {
		data = []byte("null")
	}
	return result{data, r.failures}, nil
}

// finishMutationField completes one field of Mutation before the next begins. A fatal error is the error of
// this field only: the others were executed, or will be, and their results must be returned.
func (r *run) finishMutationField(top *node, i int, f *plannedField) {
	r.resolveDeferred()
	if r.fatal != nil {
		r.fail(top, f, r.fatal)
		top.values[i], r.deferred, r.fatal = nil, nil, nil
	}
	r.embedded = 0
	r.resetLoader()
}

// run is the state of one execution.
type run struct {
	*API
	execution

	ctx      context.Context //nolint:containedctx // a run lives as long as its request
	planner  *planner
	rootNode *node
	loader   *loader
	deferred []deferredValue
	embedded int
	listed   int64 // bytes
	growth   reply.Growth
	failures []failure
	fatal    error // fails the whole response
}

// node is an object of the response. values has the values of fields that are not direct, by field index:
// nil, *node, a list of these, or a leaf.
type node struct {
	plan   *plan
	source any // a collection.Record, a JSON value, or a resolver's result
	values []any
	parent *node
	field  *plannedField // of parent
	index  int           // index in the list of field; -1: no list
}

// deferredValue is a value that needs the records that its level loads.
type deferredValue struct {
	of     *node
	at     int
	resume func() (any, error) // nil: a relation
}

// resetLoader drops loaded records: a mutation may have changed them.
func (r *run) resetLoader() {
	r.loader = &loader{
		api: r.API, principal: r.Call.Principal, bySlug: map[string]*recordLoad{}, joins: map[string]*joinLoad{},
		room: collection.NewRoom(maxListBytes),
	}
}

// showAs makes everything below f, a field of Mutation, load and show as for p instead of the caller.
func (r *run) showAs(p tenant.Principal, f *plannedField) {
	r.loader.principal = p
	planner := *r.planner
	planner.audience = records.Audience(p)
	if object, ok := gql.GetNamed(f.def.Type).(*gql.Object); ok {
		f.sub = planner.plan(object, f.sets)
	}
}

// fail records the error of a field.
func (r *run) fail(n *node, f *plannedField, err error) {
	r.failures = append(r.failures, failure{err, append(n.path(nil), f.key), f.node})
}

// path is the path of n in the response.
func (n *node) path(below []any) []any {
	if n.parent == nil {
		return below
	}
	path := append(n.parent.path(below), n.field.key)
	if n.index >= 0 {
		path = append(path, int64(n.index))
	}
	return path
}

// resolveDeferred loads level after level until nothing is deferred.
func (r *run) resolveDeferred() {
	for len(r.deferred) > 0 && r.fatal == nil {
		level := r.deferred
		r.deferred = nil
		if err := r.ctx.Err(); err != nil {
			r.fatal = err
			return
		}
		if err := r.loader.fetch(r.ctx); err != nil {
			r.fatal = err
			return
		}
		for _, w := range level {
			r.resolveOne(w)
		}
	}
}

// resolveOne fills in a deferred value.
func (r *run) resolveOne(w deferredValue) {
	f := w.of.plan.fields[w.at]
	if w.resume != nil {
		value, err := callRecovering(w.resume)
		w.of.values[w.at] = r.resolvedValue(w.of, f, value, err)
		return
	}
	if !f.list {
		w.of.values[w.at] = r.related(w.of, f, -1, r.linkedRecord(f, valueOf(w.of.source, f.name)))
		return
	}
	var list []any
	if f.join != nil {
		for i, record := range r.loader.joined(*f.join, idOf(w.of.source)) {
			list = append(list, r.related(w.of, f, i, record))
		}
	} else {
		for i, link := range listOf(valueOf(w.of.source, f.name)) {
			list = append(list, r.related(w.of, f, i, r.linkedRecord(f, link)))
		}
	}
	if list == nil {
		list = []any{}
	}
	w.of.values[w.at] = list
}

// linkedRecord is the record that a relation refers to: the loaded record of an id, or the record that an
// operation returned instead of an id. nil: not visible.
func (r *run) linkedRecord(f *plannedField, link any) any {
	id, ok := link.(string)
	if !ok {
		return link
	}
	if record := r.loader.get(f.recordField.Target(), id); record != nil {
		return record
	}
	return nil
}

// requestLink requests the record that a relation refers to from the loader.
func (r *run) requestLink(f *plannedField, link any) {
	if id, ok := link.(string); ok {
		r.loader.request(f.recordField.Target(), id)
	}
}

// related is the node of a related record; nil when the record was deleted or is not visible to the principal.
func (r *run) related(n *node, f *plannedField, at int, record any) any {
	if record == nil {
		return nil
	}
	if r.embedded++; r.embedded > maxEmbedded {
		r.fatal = nodeFault{records.ErrAnswerTooLarge, f.node}
		return nil
	}
	return r.childNode(n, f, at, record)
}

// childNode is the node of source below n.
func (r *run) childNode(n *node, f *plannedField, at int, source any) *node {
	child := &node{plan: f.sub, source: source, parent: n, field: f, index: at}
	r.expand(child)
	return child
}

// expand resolves the fields of n that are not direct.
func (r *run) expand(n *node) {
	if n.plan.allDirect || r.fatal != nil {
		return
	}
	n.values = make([]any, len(n.plan.fields))
	for i, f := range n.plan.fields {
		if !f.direct {
			r.resolve(n, i, f)
		}
	}
}

// resolve finds the value of a field, or defers it.
func (r *run) resolve(n *node, i int, f *plannedField) {
	if f.join != nil {
		r.loader.requestJoined(*f.join, idOf(n.source))
		r.deferred = append(r.deferred, deferredValue{of: n, at: i})
		return
	}
	if f.recordField == nil {
		value, err := r.callResolver(n, f)
		if then, ok := value.(func() (any, error)); ok && err == nil {
			r.deferred = append(r.deferred, deferredValue{n, i, then})
			return
		}
		n.values[i] = r.resolvedValue(n, f, value, err)
		return
	}
	value := valueOf(n.source, f.name)
	switch f.recordField.Kind {
	case collection.Group:
		if !f.recordField.isLeftOut(value) {
			n.values[i] = r.childNode(n, f, -1, value)
		}
	case collection.Array:
		n.values[i] = r.listValue(n, f, value)
	case collection.RelationMany, collection.UploadMany:
		for _, link := range listOf(value) {
			r.requestLink(f, link)
		}
		r.deferred = append(r.deferred, deferredValue{of: n, at: i})
	default: // a relation
		if value != nil {
			r.requestLink(f, value)
			r.deferred = append(r.deferred, deferredValue{of: n, at: i})
		}
	}
}

// callResolver calls the resolver of a field that is not read from a record.
func (r *run) callResolver(n *node, f *plannedField) (_ any, err error) {
	defer recoverInto(new(any), &err)
	if f.argErr != nil {
		return nil, f.argErr
	}
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	if n.parent == nil {
		if answer := r.resolvers[f.name]; answer != nil {
			return answer(r.ctx, r, f)
		}
	}
	if f.def == nil {
		return r.introspect(f)
	}
	if f.def.Resolve == nil {
		return valueOf(n.source, f.name), nil
	}
	return f.def.Resolve(gql.ResolveParams{
		Source: n.source, Args: f.args, Context: r.ctx,
		Info: gql.ResolveInfo{
			FieldName: f.name, FieldASTs: []*ast.Field{f.node}, RootValue: r.Root, Schema: r.schema, ReturnType: f.def.Type,
			ParentType: n.plan.on,
		},
	})
}

// resolvedValue is the value of a resolver, with everything below it.
func (r *run) resolvedValue(n *node, f *plannedField, value any, err error) any {
	switch {
	case err != nil:
		r.fail(n, f, err)
		return nil
	case f.list:
		return r.listValue(n, f, value)
	case f.sub == nil || value == nil:
		return value
	}
	return r.childNode(n, f, -1, value)
}

// listValue is a list of objects or leaves.
func (r *run) listValue(n *node, f *plannedField, value any) any {
	items := listOf(value)
	if value == nil && f.recordField == nil {
		return nil
	}
	out := make([]any, len(items))
	for i, item := range items {
		if f.sub == nil || item == nil {
			out[i] = item
			continue
		}
		out[i] = r.childNode(n, f, i, item)
	}
	return out
}

// unexpectedNull is an internal error: the schema declares a value that is missing.
func unexpectedNull(f *plannedField) error {
	return fault.ErrInternal.WithCause(fmt.Errorf("%s must not be null in the response", strconv.Quote(f.name)))
}
