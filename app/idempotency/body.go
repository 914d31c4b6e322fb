package idempotency

import (
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Body is the body of an answer with these members, as c's caller may see them.
func (c Call) Body(members ...reply.Member) *reply.Body {
	audience := collection.Everyone
	if c.Principal.IsStaff() {
		audience = collection.Staff
	}
	return reply.Of(audience, members...)
}
