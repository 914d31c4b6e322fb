package orders

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/ports"
)

// Canceler cancels an order before it ships; *refunds.OrderCanceler is one.
type Canceler interface {
	CancelOrder(ctx context.Context, c idempotency.Call, id string, in refunds.CancelRequest) (idempotency.Response, error)
}

// Service is the use cases.
type Service struct {
	Store       ports.Store
	Idempotency *idempotency.Runner
	Canceler    Canceler
	Now         func() time.Time
	NewID       func() string
}
