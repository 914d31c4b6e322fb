package graphql

import (
	"context"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/querying"
)

// call is one document being answered: who asks, and what its fields tell besides data. Every resolver finds it as the
// root value.
type call struct {
	querying.Request

	ctx  context.Context //nolint:containedctx // a call is one request; resolvers get it as theirs
	told map[string]any  // extensions of the answer
}

func (e *Engine) begin(ctx context.Context, req querying.Request) *call {
	return &call{ctx: ctx, Request: req}
}

// callOf is the call a field belongs to.
func callOf(p gql.ResolveParams) *call { return p.Info.RootValue.(*call) }

// callFrom is the call a run belongs to.
func callFrom(r *run) *call { return r.Root.(*call) }

// extensions is what the fields told.
func (c *call) extensions() map[string]any { return c.told }

// replayed is a refusal given again from its receipt: it repeats the request id of the first time.
type replayed struct {
	error

	requestID string
}

// Unwrap gives the refusal.
func (r replayed) Unwrap() error { return r.error }
