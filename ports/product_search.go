package ports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// ProductSearch finds products for shoppers. Products are told to it by whoever follows the events of their shop; it can be made
// again from the records at any time. Suite: portstest.ProductSearch.
type ProductSearch interface {
	// Behind lists at most limit tenants whose index is not complete, lacks events, or is of a smaller version.
	Behind(ctx context.Context, version int64, limit int) ([]SearchLag, error)
	// Put replaces what products and groups are found by, and moves the place of a tenant from one to the next, which may be the same.
	// Some of them may be replaced before the place is moved; it is moved after all of them. But a product that was not found before is found
	// by all that it has, or not at all, and no product is found by a group before that has its names. Errors: ErrStale when the place is
	// another one, or somebody else puts at the same time.
	Put(ctx context.Context, from, to SearchPlace, products []productsearch.Entry, groups []productsearch.Group) error
	// Clear deletes some of the index of a tenant whose place is at; more reports whether there is more of it. Errors: ErrStale.
	Clear(ctx context.Context, at SearchPlace) (more bool, err error)
	// Search answers a request. Products that were deleted or hidden within the last second may be among them.
	Search(ctx context.Context, r productsearch.Request) (productsearch.Found, error)
	// Backlog is how far the indexes of this version are behind.
	Backlog(ctx context.Context, version int64) (SearchBacklog, error)
}
