package graphql

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/problem"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// locatedFault is a fault at a position of the document.
type locatedFault struct {
	fault    *fault.Error
	position position
}

// Error is the message of the fault.
func (l locatedFault) Error() string { return l.fault.Error() }

// Unwrap returns the fault.
func (l locatedFault) Unwrap() error { return l.fault }

// nodeFault is a fault at a node of the document, whose position document.locateFault finds.
type nodeFault struct {
	fault *fault.Error
	node  ast.Node
}

// Error is the message of the fault.
func (n nodeFault) Error() string { return n.fault.Error() }

// Unwrap returns the fault.
func (n nodeFault) Unwrap() error { return n.fault }

// invalidDocument is the violations in one document.
type invalidDocument []locatedFault

// Error is the message of the first.
func (v invalidDocument) Error() string { return v[0].Error() }

// Unwrap returns all of them.
func (v invalidDocument) Unwrap() []error {
	out := make([]error, len(v))
	for i, l := range v {
		out[i] = l
	}
	return out
}

// panicError is a panic of a resolver, with the stack where it happened.
type panicError struct {
	value any
	stack []byte
}

func (p panicError) Error() string { return fmt.Sprint("panic: ", p.value) }

// answerError is one member of "errors".
type answerError struct {
	fault     *fault.Error
	positions []position
	path      []any // names and indexes
	requestID string
}

// append writes the error. Rule graphql-4.
func (p answerError) append(dst []byte) []byte {
	ext := problem.Extensions(p.fault, p.requestID)
	if details := problem.Details(p.fault); details != nil {
		name := "data"
		if len(p.fault.InvalidFields()) > 0 {
			name = "fields"
		}
		ext[name] = details
	}
	dst = collection.AppendString(append(dst, `{"message":`...), p.fault.Message)
	if len(p.positions) > 0 {
		locations := make([]any, len(p.positions))
		for i, at := range p.positions {
			locations[i] = map[string]any{"line": at.line, "column": at.column}
		}
		dst = collection.AppendJSONValue(append(dst, `,"locations":`...), locations)
	}
	if len(p.path) > 0 {
		dst = collection.AppendJSONValue(append(dst, `,"path":`...), p.path)
	}
	return append(collection.AppendJSONValue(append(dst, `,"extensions":`...), ext), '}')
}

// refusalErrors are the errors of a request that was not executed, in the language of the call.
func refusalErrors(err error, call idempotency.Call) []answerError {
	if several, ok := errors.AsType[invalidDocument](err); ok {
		out := make([]answerError, len(several))
		for i, l := range several {
			out[i] = answerError{fault: call.Language.Refusal(l.fault), positions: []position{l.position}, requestID: call.RequestID}
		}
		return out
	}
	p := answerError{fault: call.Language.Refusal(faultOf(err)), requestID: call.RequestID}
	if l, ok := errors.AsType[locatedFault](err); ok {
		p.positions = []position{l.position}
	}
	return []answerError{p}
}

// faultOf finds the fault to show for err.
func faultOf(err error) *fault.Error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return fault.ErrUnavailable.WithCause(err)
	}
	return fault.ErrInternal.WithCause(err)
}

// answerErrors are the errors of an execution, in the order of the document and the language of the call.
func (d *document) answerErrors(found []failure, call idempotency.Call) []answerError {
	out := make([]answerError, len(found))
	for i, e := range found {
		out[i] = answerError{
			fault: call.Language.Refusal(faultOf(e.Err)), path: e.Path, requestID: call.RequestID, positions: []position{d.text.positionAt(e.Node.Loc.Start)},
		}
		if r, ok := errors.AsType[replayedFault](e.Err); ok {
			out[i].requestID = r.requestID
		}
	}
	slices.SortStableFunc(out, func(a, b answerError) int {
		return cmp.Or(slices.CompareFunc(a.positions, b.positions, func(p, q position) int {
			return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.column, q.column))
		}), strings.Compare(fmt.Sprint(a.path), fmt.Sprint(b.path)))
	})
	return out
}

// logInternal logs internal errors once, with their causes.
func logInternal(ctx context.Context, log *slog.Logger, all []answerError, requestID string) {
	for _, p := range all {
		if p.fault.Kind != fault.Internal {
			continue
		}
		attrs := []any{"requestId", requestID, "error", p.fault.Unwrap(), "path", fmt.Sprint(p.path)}
		if v, ok := errors.AsType[panicError](p.fault.Unwrap()); ok {
			attrs = append(attrs, "stack", string(v.stack))
		}
		log.ErrorContext(ctx, "GraphQL field failed", attrs...)
	}
}

// callRecovering calls the function that a resolver deferred, and turns a panic into an error.
func callRecovering(then func() (any, error)) (v any, err error) {
	defer recoverInto(&v, &err)
	return then()
}

// recoverInto turns a panic into an internal error, whose text is not shown.
func recoverInto[T any](v *T, err *error) {
	if r := recover(); r != nil {
		var none T
		*v, *err = none, panicError{r, debug.Stack()}
	}
}
