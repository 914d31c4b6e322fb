package ports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// News tells what was changed besides us. It may be late and may miss things: nothing may depend on it but how long
// something outdated is remembered.
type News interface {
	// Follow calls changed with each tenant of which a watched record was changed, once that is committed, by whomever.
	// It calls missed first of all, and whenever changes may have gone by untold. It ends when ctx does.
	Follow(ctx context.Context, changed func(tenant.ID), missed func()) error
}
