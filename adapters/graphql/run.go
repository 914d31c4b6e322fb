package graphql

import (
	"context"
	"fmt"
	"strconv"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// maxEmbedded bounds the related records in one answer, however they repeat: as REST does.
const maxEmbedded = 20_000

// task is one operation to run. The document has been validated.
type task struct {
	Call      once.Call
	Root      any // what resolvers besides those of collections find as the root value
	Operation *ast.OperationDefinition
	Fragments map[string]*ast.FragmentDefinition
	Variables map[string]any // as given: Trees
}

// result is what came of a task.
type result struct {
	Data     []byte // JSON; "null" when an error reached the root
	Failures []failure
}

// failure is one error of an answer.
type failure struct {
	Err  error
	Path []any // keys, and int64 indexes
	Node *ast.Field
}

// execute runs a task level by level: all fields of a level are resolved before what they lead to is loaded, in one
// question per collection. Members of an answer come in the order of the document. The fields of Mutation run one after
// the other, each with everything below it. It errors where nothing could be run: variables that do not fit, a deadline
// that passed, an answer that would be too large.
func (a *API) execute(ctx context.Context, t task) (out result, err error) {
	defer catch(&out, &err)
	if t.Variables, err = a.variables(t.Operation, t.Variables); err != nil {
		return result{}, err
	}
	r := &run{API: a, ctx: ctx, task: t}
	p := &planner{reader: reader{a, t.Variables}, fragments: t.Fragments, audience: content.Audience(t.Call.Principal)}
	r.planner = p
	on, serially := a.schema.QueryType(), t.Operation.Operation == ast.OperationTypeMutation
	if serially {
		on = a.schema.MutationType()
	}
	top := &node{plan: p.plan(on, []*ast.SelectionSet{t.Operation.SelectionSet})}
	top.values = make([]any, len(top.plan.fields))
	r.top = top
	r.forget()
	for i, f := range top.plan.fields {
		if f.plain {
			continue
		}
		if r.resolve(top, i, f); serially {
			r.finish(top, i, f)
		}
	}
	r.settle()
	if r.fatal != nil {
		return result{}, r.fatal
	}
	data, ok := r.appendNode(make([]byte, 0, 4<<10), top)
	if !ok {
		data = []byte("null")
	}
	return result{data, r.failures}, nil
}

// finish ends one field of Mutation before the next begins. What keeps its answer from being told is the error of this
// field alone: the others were done, or will be, and must be told of.
func (r *run) finish(top *node, i int, f *planned) {
	r.settle()
	if r.fatal != nil {
		r.fail(top, f, r.fatal)
		top.values[i], r.waiting, r.fatal = nil, nil, nil
	}
	r.embedded = 0
	r.forget()
}

// run is the state of one task.
type run struct {
	*API
	task

	ctx      context.Context //nolint:containedctx // the run is the request
	planner  *planner
	top      *node
	loads    *loads
	waiting  []later
	embedded int
	failures []failure
	fatal    error // nothing of the answer stands
}

// node is an object of the answer. Values has what is not plain, by the index of its field: nil, *node, []any of such, or
// a leaf.
type node struct {
	plan   *plan
	source any // a collection.Record, a Tree, or what a resolver answered
	values []any
	up     *node
	field  *planned // of up
	at     int      // index in the list of field; -1: no list
}

// later is a value that needs what its level leads to.
type later struct {
	of   *node
	at   int
	then func() (any, error) // nil: a relation
}

// forget drops what was loaded: a mutation may have changed it.
func (r *run) forget() {
	r.loads = &loads{api: r.API, principal: r.Call.Principal, bySlug: map[string]*load{}, joins: map[string]*joinLoad{}}
}

// become has what stands below f, a field of Mutation, loaded and shown for p instead of the caller.
func (r *run) become(p tenant.Principal, f *planned) {
	r.loads.principal = p
	theirs := *r.planner
	theirs.audience = content.Audience(p)
	if object, ok := gql.GetNamed(f.def.Type).(*gql.Object); ok {
		f.sub = theirs.plan(object, f.sets)
	}
}

// fail notes the error of a field.
func (r *run) fail(n *node, f *planned, err error) {
	r.failures = append(r.failures, failure{err, append(n.path(nil), f.key), f.node})
}

// path is where n stands in the answer.
func (n *node) path(below []any) []any {
	if n.up == nil {
		return below
	}
	path := append(n.up.path(below), n.field.key)
	if n.at >= 0 {
		path = append(path, int64(n.at))
	}
	return path
}

// settle loads level after level until nothing waits.
func (r *run) settle() {
	for len(r.waiting) > 0 && r.fatal == nil {
		level := r.waiting
		r.waiting = nil
		if err := r.ctx.Err(); err != nil {
			r.fatal = err
			return
		}
		if err := r.loads.fetch(r.ctx); err != nil {
			r.fatal = err
			return
		}
		for _, w := range level {
			r.arrive(w)
		}
	}
}

// arrive fills in a value that waited.
func (r *run) arrive(w later) {
	f := w.of.plan.fields[w.at]
	if w.then != nil {
		value, err := calm(w.then)
		w.of.values[w.at] = r.answered(w.of, f, value, err)
		return
	}
	if !f.list {
		w.of.values[w.at] = r.related(w.of, f, -1, r.behind(f, valueOf(w.of.source, f.name)))
		return
	}
	var list []any
	if f.join != nil {
		for i, record := range r.loads.joined(*f.join, idOf(w.of.source)) {
			list = append(list, r.related(w.of, f, i, record))
		}
	} else {
		for i, link := range listOf(valueOf(w.of.source, f.name)) {
			list = append(list, r.related(w.of, f, i, r.behind(f, link)))
		}
	}
	if list == nil {
		list = []any{}
	}
	w.of.values[w.at] = list
}

// behind is what a link leads to: the record of an id, or what an operation answered in its place. Nil: nothing to see.
func (r *run) behind(f *planned, link any) any {
	id, ok := link.(string)
	if !ok {
		return link
	}
	if record := r.loads.get(f.column.Target(), id); record != nil {
		return record
	}
	return nil
}

// follow asks for what a link leads to.
func (r *run) follow(f *planned, link any) {
	if id, ok := link.(string); ok {
		r.loads.want(f.column.Target(), id)
	}
}

// related is the record behind a relation: null when it is gone, or not for this principal.
func (r *run) related(n *node, f *planned, at int, record any) any {
	if record == nil {
		return nil
	}
	if r.embedded++; r.embedded > maxEmbedded {
		r.fatal = content.ErrTooMuch
		return nil
	}
	return r.below(n, f, at, record)
}

// below is an object under n.
func (r *run) below(n *node, f *planned, at int, source any) *node {
	child := &node{plan: f.sub, source: source, up: n, field: f, at: at}
	r.expand(child)
	return child
}

// expand resolves the fields of n that are not plain.
func (r *run) expand(n *node) {
	if n.plan.plain || r.fatal != nil {
		return
	}
	n.values = make([]any, len(n.plan.fields))
	for i, f := range n.plan.fields {
		if !f.plain {
			r.resolve(n, i, f)
		}
	}
}

// resolve finds the value of a field, or lets it wait.
func (r *run) resolve(n *node, i int, f *planned) {
	if f.join != nil {
		r.loads.wantJoined(*f.join, idOf(n.source))
		r.waiting = append(r.waiting, later{of: n, at: i})
		return
	}
	if f.column == nil {
		value, err := r.ask(n, f)
		if then, ok := value.(func() (any, error)); ok && err == nil {
			r.waiting = append(r.waiting, later{n, i, then})
			return
		}
		n.values[i] = r.answered(n, f, value, err)
		return
	}
	value := valueOf(n.source, f.name)
	switch f.column.Kind {
	case collection.Group:
		n.values[i] = r.below(n, f, -1, value)
	case collection.Array:
		n.values[i] = r.each(n, f, value)
	case collection.RelationMany, collection.UploadMany:
		for _, link := range listOf(value) {
			r.follow(f, link)
		}
		r.waiting = append(r.waiting, later{of: n, at: i})
	default: // a relation
		if value != nil {
			r.follow(f, value)
			r.waiting = append(r.waiting, later{of: n, at: i})
		}
	}
}

// ask calls what answers a field that is no column.
func (r *run) ask(n *node, f *planned) (_ any, err error) {
	defer catch(new(any), &err)
	if f.argErr != nil {
		return nil, f.argErr
	}
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	if n.up == nil {
		if answer := r.roots[f.name]; answer != nil {
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
		Info: gql.ResolveInfo{FieldName: f.name, FieldASTs: []*ast.Field{f.node}, RootValue: r.Root, Schema: r.schema, ReturnType: f.def.Type, ParentType: n.plan.on},
	})
}

// answered is what a resolver answered, with everything below it.
func (r *run) answered(n *node, f *planned, value any, err error) any {
	switch {
	case err != nil:
		r.fail(n, f, err)
		return nil
	case f.list:
		return r.each(n, f, value)
	case f.sub == nil || value == nil:
		return value
	}
	return r.below(n, f, -1, value)
}

// each is a list of objects or leaves.
func (r *run) each(n *node, f *planned, value any) any {
	items := listOf(value)
	if value == nil && f.column == nil {
		return nil
	}
	out := make([]any, len(items))
	for i, item := range items {
		if f.sub == nil || item == nil {
			out[i] = item
			continue
		}
		out[i] = r.below(n, f, i, item)
	}
	return out
}

// valueOf is a field of an object, whichever way it came.
func valueOf(source any, name string) any {
	switch s := source.(type) {
	case collection.Record:
		return s[name]
	case map[string]any:
		return s[name]
	}
	return nil
}

// idOf is the id of a record, whichever way it came.
func idOf(source any) string {
	id, _ := valueOf(source, "id").(string)
	return id
}

// listOf is any list as one of anything.
func listOf(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case []collection.Record:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = x
		}
		return out
	case []string:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = x
		}
		return out
	}
	return nil
}

// errNull is our mistake: the schema promises a value that there is not.
func errNull(f *planned) error {
	return fault.ErrInternal.Because(fmt.Errorf("%s of the answer must not be null", strconv.Quote(f.name)))
}
