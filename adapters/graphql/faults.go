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

	"github.com/cartwright-dev/cartwright/app/telling"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// located is a fault at a place of the document.
type located struct {
	fault *fault.Error
	at    position
}

// Error names the fault.
func (l located) Error() string { return l.fault.Error() }

// Unwrap gives the fault.
func (l located) Unwrap() error { return l.fault }

// invalid is several mistakes of one document.
type invalid []located

// Error names the first.
func (v invalid) Error() string { return v[0].Error() }

// Unwrap gives all.
func (v invalid) Unwrap() []error {
	out := make([]error, len(v))
	for i, l := range v {
		out[i] = l
	}
	return out
}

// panicked is a panic of a resolver, with the stack where it happened.
type panicked struct {
	value any
	stack []byte
}

func (p panicked) Error() string { return fmt.Sprint("panic: ", p.value) }

// problem is one member of "errors".
type problem struct {
	fault     *fault.Error
	places    []position
	path      []any // names and indexes
	requestID string
}

// append writes the problem. Spec 7.2.
func (p problem) append(dst []byte) []byte {
	ext := telling.Extensions(p.fault, p.requestID)
	if facts := telling.Facts(p.fault); facts != nil {
		name := "data"
		if len(p.fault.Fields) > 0 {
			name = "fields"
		}
		ext[name] = facts
	}
	dst = collection.AppendString(append(dst, `{"message":`...), p.fault.Message)
	if len(p.places) > 0 {
		places := make([]any, len(p.places))
		for i, at := range p.places {
			places[i] = map[string]any{"line": at.line, "column": at.column}
		}
		dst = collection.AppendTree(append(dst, `,"locations":`...), places)
	}
	if len(p.path) > 0 {
		dst = collection.AppendTree(append(dst, `,"path":`...), p.path)
	}
	return append(collection.AppendTree(append(dst, `,"extensions":`...), ext), '}')
}

// refusal is the problems of a request that was not run.
func refusal(err error, requestID string) []problem {
	if several, ok := errors.AsType[invalid](err); ok {
		out := make([]problem, len(several))
		for i, l := range several {
			out[i] = problem{fault: l.fault, places: []position{l.at}, requestID: requestID}
		}
		return out
	}
	p := problem{fault: faultOf(err), requestID: requestID}
	if l, ok := errors.AsType[located](err); ok {
		p.places = []position{l.at}
	}
	return []problem{p}
}

// faultOf finds the fault to show for err.
func faultOf(err error) *fault.Error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return fault.ErrUnavailable.Because(err)
	}
	return fault.ErrInternal.Because(err)
}

// problems are the errors of an execution, in the order of the document.
func (d *document) problems(found []failure, requestID string) []problem {
	out := make([]problem, len(found))
	for i, e := range found {
		out[i] = problem{fault: faultOf(e.Err), path: e.Path, requestID: requestID, places: []position{d.text.place(e.Node.Loc.Start)}}
		if r, ok := errors.AsType[replayed](e.Err); ok {
			out[i].requestID = r.requestID
		}
	}
	slices.SortStableFunc(out, func(a, b problem) int {
		return cmp.Or(slices.CompareFunc(a.places, b.places, func(p, q position) int {
			return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.column, q.column))
		}), strings.Compare(fmt.Sprint(a.path), fmt.Sprint(b.path)))
	})
	return out
}

// logInternal notes faults of ours once, with what caused them.
func logInternal(ctx context.Context, log *slog.Logger, all []problem, requestID string) {
	for _, p := range all {
		if p.fault.Kind != fault.Internal {
			continue
		}
		attrs := []any{"requestId", requestID, "error", p.fault.Unwrap(), "path", fmt.Sprint(p.path)}
		if v, ok := errors.AsType[panicked](p.fault.Unwrap()); ok {
			attrs = append(attrs, "stack", string(v.stack))
		}
		log.ErrorContext(ctx, "GraphQL field failed", attrs...)
	}
}

// calm calls what a resolver left for later.
func calm(then func() (any, error)) (v any, err error) {
	defer catch(&v, &err)
	return then()
}

// catch makes a panic an error of ours, whose text nobody sees.
func catch[T any](v *T, err *error) {
	if r := recover(); r != nil {
		var none T
		*v, *err = none, panicked{r, debug.Stack()}
	}
}
