package graphql

import (
	"github.com/cartwright-dev/cartwright/app/gqlrequest"
)

// requestState is the state of one request: the caller, and which fields were replayed. It is the root value
// of resolvers.
type requestState struct {
	gqlrequest.Request

	replays   []any // keys of the fields that were answered from a receipt
	localized bool  // a field has words in the language of the call
	earlier   bool  // a field has words in the language of an earlier call
}

func newRequestState(req gqlrequest.Request) *requestState { return &requestState{Request: req} }

// requestStateOf is the request a run belongs to.
func requestStateOf(r *run) *requestState { return r.Root.(*requestState) }

// addReplay records that a field was answered from its receipt.
func (c *requestState) addReplay(key string) { c.replays = append(c.replays, key) }

// addWords records that a field has words: in the language of the call, or as they were told first.
func (c *requestState) addWords(replayed bool) {
	c.localized, c.earlier = c.localized || !replayed, c.earlier || replayed
}

// extensions are the extensions of the answer: {replayed: [keys]}, the counterpart of the header Idempotency-Replayed.
func (c *requestState) extensions() map[string]any {
	if len(c.replays) == 0 {
		return nil
	}
	return map[string]any{"replayed": c.replays}
}

// replayedFault is a refusal replayed from its receipt: it has the request id of the first execution.
type replayedFault struct {
	error

	requestID string
}

// Unwrap returns the refusal.
func (r replayedFault) Unwrap() error { return r.error }
