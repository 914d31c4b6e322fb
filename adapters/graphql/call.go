package graphql

import (
	"github.com/cartwright-dev/cartwright/app/querying"
)

// call is one document being answered: who asks, and what its fields tell besides data. Every resolver finds it as the
// root value.
type call struct {
	querying.Request

	replays []any // keys of the fields that were answered from a receipt
}

func begin(req querying.Request) *call { return &call{Request: req} }

// callFrom is the call a run belongs to.
func callFrom(r *run) *call { return r.Root.(*call) }

// tellReplay notes that a field was answered again.
func (c *call) tellReplay(key string) { c.replays = append(c.replays, key) }

// extensions is what the answer tells besides data: {replayed: [keys]}, as the header Idempotency-Replayed does.
func (c *call) extensions() map[string]any {
	if len(c.replays) == 0 {
		return nil
	}
	return map[string]any{"replayed": c.replays}
}

// replayed is a refusal given again from its receipt: it repeats the request id of the first time.
type replayed struct {
	error

	requestID string
}

// Unwrap gives the refusal.
func (r replayed) Unwrap() error { return r.error }
