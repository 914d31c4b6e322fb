package paymentbed

import (
	"context"

	"github.com/cartwright-dev/cartwright/ports"
)

// Interrupted is a store before whose next transaction something happens, once.
type Interrupted struct {
	ports.Store

	Happens func()
}

// Atomically implements ports.Store.
func (s *Interrupted) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	if act := s.Happens; act != nil {
		s.Happens = nil
		act()
	}
	return s.Store.Atomically(ctx, scope, fn)
}
