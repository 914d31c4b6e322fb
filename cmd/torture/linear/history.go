package linear

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// ErrImpossible says that no order of the operations explains the answers.
var ErrImpossible = errors.New("the history is not linearizable")

// ErrUndecided says that the search took too long and proves nothing.
var ErrUndecided = errors.New("the search for an order took too long")

// History records what clients do who share a few carts, or a market. It is safe for concurrent use.
type History struct {
	modelOf func(ops []porcupine.Operation) porcupine.Model
	start   time.Time

	mu  sync.Mutex
	ops []porcupine.Operation
}

// NewHistory is the empty history of a family of empty carts at revision 1.
func NewHistory(s Shop, carts int) *History {
	return &History{modelOf: func(ops []porcupine.Operation) porcupine.Model { return s.specOf(carts, ops).model() }, start: time.Now()}
}

// NewMarketHistory is the empty history of a market.
func NewMarketHistory(m Market) *History {
	return &History{modelOf: func([]porcupine.Operation) porcupine.Model { return m.model() }, start: time.Now()}
}

// Now is the time on the history's clock.
func (h *History) Now() int64 { return int64(time.Since(h.start)) }

// Record adds an operation of client with the times of its request and its answer. The latter is ignored for
// an unknown outcome.
func (h *History) Record(client int, w Operation, sent int64, o Result, answered int64) {
	if o.Unknown {
		answered = math.MaxInt64
	}
	h.append(porcupine.Operation{ClientId: client, Input: w, Call: sent, Output: o, Return: answered})
}

// RecordTrade adds a step of a purchase of client, with the times of its request and its answer.
func (h *History) RecordTrade(client int, t Trade, sent int64, o TradeResult, answered int64) {
	h.append(porcupine.Operation{ClientId: client, Input: t, Call: sent, Output: o, Return: answered})
}

func (h *History) append(op porcupine.Operation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ops = append(h.ops, op)
}

// Len is the number of operations.
func (h *History) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ops)
}

// Check looks for a valid order for at most limit. The error of an impossible history says where the search
// got stuck. Errors: ErrImpossible, ErrUndecided.
func (h *History) Check(limit time.Duration) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	model := h.modelOf(h.ops)
	switch porcupine.CheckOperationsTimeout(model, h.ops, limit) {
	case porcupine.Ok:
		return nil
	case porcupine.Unknown:
		return fmt.Errorf("%w: %d operations, %s", ErrUndecided, len(h.ops), limit)
	default:
		return h.explain(model, limit)
	}
}

// explain says how far the search came: the end of the longest valid order, and the candidates for the next
// operation. A page shows the whole search.
func (h *History) explain(model porcupine.Model, limit time.Duration) error {
	_, found := porcupine.CheckOperationsVerbose(model, h.ops, limit)
	var longest []porcupine.Operation
	for _, order := range found.PartialLinearizationsOperations()[0] {
		if len(order) > len(longest) {
			longest = order
		}
	}
	text := fmt.Sprintf("%d operations, of which %d have an order that ends with", len(h.ops), len(longest))
	for _, op := range longest[max(0, len(longest)-3):] {
		text += "\n  " + model.DescribeOperation(op.Input, op.Output)
	}
	text += "\nthen nothing explains one of"
	next := h.nextCandidates(longest)
	for _, op := range next[:min(10, len(next))] {
		text += "\n  " + model.DescribeOperation(op.Input, op.Output)
	}
	return fmt.Errorf("%w: %s\n%s", ErrImpossible, text, visualize(model, found))
}

// nextCandidates are the operations outside of the order that begin before the first of them ends.
func (h *History) nextCandidates(order []porcupine.Operation) (next []porcupine.Operation) {
	type mark struct {
		client int
		sent   int64
	}
	done := map[mark]bool{}
	for _, op := range order {
		done[mark{op.ClientId, op.Call}] = true
	}
	end := int64(math.MaxInt64)
	for _, op := range h.ops {
		if !done[mark{op.ClientId, op.Call}] {
			end = min(end, op.Return)
		}
	}
	for _, op := range h.ops {
		if !done[mark{op.ClientId, op.Call}] && op.Call <= end {
			next = append(next, op)
		}
	}
	return next
}

// visualize writes a page about the search; it returns its path, or why there is none.
func visualize(model porcupine.Model, found porcupine.LinearizationInfo) string {
	file, err := os.CreateTemp("", "cartwright-history-*.html")
	if err != nil {
		return err.Error()
	}
	if err := errors.Join(porcupine.Visualize(model, found, file), file.Close()); err != nil {
		return err.Error()
	}
	return "see " + file.Name()
}
