package graphql

import (
	"context"
	"log/slog"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/app/querying"
)

// cacheBytes is what remembered documents take at most.
const cacheBytes = 16 << 20

// Engine answers documents.
type Engine struct {
	api       *API
	documents *documents
	log       *slog.Logger
}

// NewEngine answers documents on the schema of api.
func NewEngine(api *API, log *slog.Logger) *Engine {
	return &Engine{api: api, documents: newDocuments(cacheBytes), log: log}
}

// Answer runs one document. What it answers is always a GraphQL answer: nothing fails but as errors in it.
func (e *Engine) Answer(ctx context.Context, req querying.Request) querying.Answer {
	doc, op, err := e.admit(req)
	if err != nil {
		return e.refuse(ctx, req, err)
	}
	if req.Refused != nil && !open(op) {
		a := e.refuse(ctx, req, req.Refused)
		a.Refused = true
		return a
	}
	call := begin(req)
	found, err := e.api.execute(ctx, task{Call: req.Call, Root: call, Operation: op.def, Fragments: doc.fragments, Variables: req.Variables})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return e.refuse(ctx, req, err)
	}
	problems := doc.problems(found.Failures, req.Call.RequestID)
	logInternal(ctx, e.log, problems, req.Call.RequestID)
	a := querying.Answer{Body: appendAnswer(make([]byte, 0, len(found.Data)+64), problems, found.Data, call.extensions())}
	if string(found.Data) == "null" && len(problems) > 0 {
		a.Fault = problems[0].fault
	}
	return a
}

// admit finds the operation to run, within the limits. Errors: ErrSyntax, ErrDocument, ErrInvalid, ErrOperation.
func (e *Engine) admit(req querying.Request) (*document, *action, error) {
	doc, err := e.documents.find(req.Document, func(text string) (*document, error) { return read(&e.api.schema, text) })
	if err != nil {
		return nil, nil, err
	}
	op, err := doc.choose(req.Operation)
	if err != nil {
		return nil, nil, err
	}
	if op.weight.byVariable {
		w, err := (&meter{schema: &e.api.schema, fragments: doc.fragments}).weigh(op.def, req.Variables)
		if err != nil {
			return nil, nil, err
		}
		if err := w.check(); err != nil {
			return nil, nil, err
		}
	}
	return doc, op, nil
}

// refuse answers without data.
func (e *Engine) refuse(ctx context.Context, req querying.Request, err error) querying.Answer {
	problems := refusal(err, req.Call.RequestID)
	logInternal(ctx, e.log, problems, req.Call.RequestID)
	return querying.Answer{Body: append(appendProblems([]byte("{"), problems), '}'), Fault: problems[0].fault}
}

// open reports whether an operation asks for nothing but what needs no caller, such as logging in.
func open(op *action) bool {
	for _, s := range op.def.SelectionSet.Selections {
		f, ok := s.(*ast.Field)
		if !ok || !openFields[f.Name.Value] && f.Name.Value != gql.TypeNameMetaFieldDef.Name {
			return false
		}
	}
	return true
}
