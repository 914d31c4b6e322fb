package graphql

import (
	"context"
	"log/slog"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/gqlerrors"
	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/app/querying"
)

// cacheBytes is what remembered documents take at most.
const cacheBytes = 16 << 20

// Engine answers documents.
type Engine struct {
	schema    gql.Schema
	documents *documents
	log       *slog.Logger
}

// newEngine runs documents on a schema, whose resolvers it makes safe.
func newEngine(schema gql.Schema, log *slog.Logger) *Engine {
	guard(&schema)
	return &Engine{schema: schema, documents: newDocuments(cacheBytes), log: log}
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
	call := e.begin(ctx, req)
	// The library leaves its work running when a context ends. This one never does: the resolvers look at that of the call.
	result := gql.Execute(gql.ExecuteParams{
		Schema: e.schema, Root: call, AST: doc.tree, OperationName: req.Operation, Args: req.Variables, Context: context.WithoutCancel(ctx),
	})
	if err := ctx.Err(); err != nil {
		return e.refuse(ctx, req, err)
	}
	if result.Data == nil && len(result.Errors) == 1 && len(result.Errors[0].Path) == 0 {
		return e.refuse(ctx, req, beforeRunning(result.Errors[0]))
	}
	problems := doc.problems(result.Errors, req.Call.RequestID)
	logInternal(ctx, e.log, problems, req.Call.RequestID)
	body, err := appendAnswer(nil, problems, op.shape, result.Data, call.extensions())
	if err != nil {
		return e.refuse(ctx, req, err)
	}
	a := querying.Answer{Body: body}
	if result.Data == nil && len(problems) > 0 {
		a.Fault = problems[0].fault
	}
	return a
}

// admit finds the operation to run, within the limits. Errors: ErrSyntax, ErrDocument, ErrInvalid, ErrOperation.
func (e *Engine) admit(req querying.Request) (*document, *operation, error) {
	doc, err := e.documents.find(req.Document, func(text string) (*document, error) { return read(&e.schema, text) })
	if err != nil {
		return nil, nil, err
	}
	op, err := doc.choose(req.Operation)
	if err != nil {
		return nil, nil, err
	}
	if op.weight.byVariable {
		w, err := (&meter{schema: &e.schema, fragments: doc.fragments}).weigh(op.def, req.Variables)
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

// beforeRunning tells why an execution did not begin: the time was up, or variables do not fit.
func beforeRunning(e gqlerrors.FormattedError) error {
	err := cause(e)
	if _, ours := err.(*gqlerrors.Error); ours { //nolint:errorlint // the library's own, which wraps nothing
		return variablesFault(err)
	}
	return err
}

// open reports whether an operation asks for nothing but what needs no caller, such as logging in.
func open(op *operation) bool {
	for _, s := range op.def.SelectionSet.Selections {
		f, ok := s.(*ast.Field)
		if !ok || !openFields[f.Name.Value] && f.Name.Value != gql.TypeNameMetaFieldDef.Name {
			return false
		}
	}
	return true
}
