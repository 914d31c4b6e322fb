package ports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ChangeNotifier reports changes made by other processes. It may be late and may miss changes, so it may only
// shorten how long caches are outdated.
type ChangeNotifier interface {
	// Subscribe calls changed with each tenant of which a watched record was changed by anyone, once that is
	// committed. It calls missed first, and whenever changes may have been lost. It returns when ctx is done.
	Subscribe(ctx context.Context, changed func(tenant.ID), missed func()) error
}
