package graphql

import (
	"context"
	"log/slog"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// cacheBytes bounds the document cache.
const cacheBytes = 16 << 20

// Engine executes documents.
type Engine struct {
	api       *API
	documents *documentCache
	log       *slog.Logger
}

// NewEngine executes documents on the schema of api.
func NewEngine(api *API, log *slog.Logger) *Engine {
	return &Engine{api: api, documents: newDocumentCache(cacheBytes), log: log}
}

// Answer executes one document. Every error is in the response.
func (e *Engine) Answer(ctx context.Context, req gqlrequest.Request) gqlrequest.Response {
	doc, op, err := e.prepare(req)
	if err != nil {
		return e.refuse(ctx, req, err)
	}
	if needs := e.api.needsCaller(op); req.AuthError != nil && needs != nil {
		a := e.refuse(ctx, req, doc.locateFault(nodeFault{faultOf(req.AuthError), needs}))
		a.Unauthenticated = true
		return a
	}
	if req.OverQuota && !e.api.mayExceedQuota(op, req.Call.Principal) {
		return gqlrequest.Response{OverQuota: true}
	}
	call := newRequestState(req)
	found, err := e.api.execute(ctx, execution{
		Call: req.Call, Root: call, Operation: op.def, Fragments: doc.fragments, Variables: req.Variables,
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return e.refuse(ctx, req, doc.locateFault(err))
	}
	problems := doc.answerErrors(found.Failures, req.Call)
	logInternal(ctx, e.log, problems, req.Call.RequestID)
	a := gqlrequest.Response{
		Body:      appendAnswer(make([]byte, 0, len(found.Data)+64), problems, found.Data, call.extensions()),
		Localized: !call.earlier && (len(problems) > 0 || call.localized),
	}
	if string(found.Data) == "null" && len(problems) > 0 {
		a.Fault = problems[0].fault
	}
	return a
}

// prepare finds the operation to execute and checks the limits. Errors: ErrSyntax, ErrDocument, ErrInvalid,
// ErrOperation.
func (e *Engine) prepare(req gqlrequest.Request) (*document, *documentOperation, error) {
	doc, err := e.documents.find(req.Document, func(text string) (*document, error) { return parseDocument(e.api, text) })
	if err != nil {
		return nil, nil, err
	}
	op, err := doc.choose(req.Operation)
	if err != nil {
		return nil, nil, err
	}
	if op.weight.dependsOnVariable {
		w, err := (&costMeter{schema: &e.api.schema, expensive: e.api.expensive, fragments: doc.fragments}).weigh(op.def, req.Variables)
		if err != nil {
			return nil, nil, doc.locateFault(err)
		}
		if err := w.check(op.def); err != nil {
			return nil, nil, doc.locateFault(err)
		}
	}
	return doc, op, nil
}

// refuse answers where nothing was run: data is null.
func (e *Engine) refuse(ctx context.Context, req gqlrequest.Request, err error) gqlrequest.Response {
	problems := refusalErrors(err, req.Call)
	logInternal(ctx, e.log, problems, req.Call.RequestID)
	return gqlrequest.Response{Body: appendAnswer(nil, problems, []byte("null"), nil), Fault: problems[0].fault, Localized: true}
}

// needsCaller is the first selection of an operation that needs a caller; nil: it has only fields that work without
// one, such as logging in.
func (a *API) needsCaller(op *documentOperation) ast.Node { return firstBeside(op, a.open) }

// mayExceedQuota reports whether an operation is never refused for a quota: what users read, and what has only
// such fields. Rule limits-12.
func (a *API) mayExceedQuota(op *documentOperation, by tenant.Principal) bool {
	return by.Kind == tenant.User && op.def.Operation == ast.OperationTypeQuery || firstBeside(op, a.beyondQuota) == nil
}

// firstBeside is the first selection of an operation that is neither a field of a set nor __typename; nil: none.
func firstBeside(op *documentOperation, set map[string]bool) ast.Node {
	for _, s := range op.def.SelectionSet.Selections {
		f, ok := s.(*ast.Field)
		if !ok || !set[f.Name.Value] && f.Name.Value != gql.TypeNameMetaFieldDef.Name {
			if node, ok := s.(ast.Node); ok {
				return node
			}
			return op.def
		}
	}
	return nil
}
