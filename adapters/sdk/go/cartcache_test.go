package cartwright

import (
	"fmt"
	"testing"
)

func TestCachedCartIsTheNewest(t *testing.T) {
	t.Parallel()
	var c cartCache
	see := func(revision int64, replayed bool) int64 {
		return c.see(Cart{ID: "c1", Revision: revision}, replayed).Revision
	}
	if see(3, false) != 3 || see(2, true) != 3 || see(2, false) != 3 || see(4, true) != 4 {
		t.Error("the newest revision is not kept")
	}
	fresh := c.see(Cart{ID: "c1", Revision: 4, Status: "abandoned"}, false)
	stale := c.see(Cart{ID: "c1", Revision: 4, Status: "active"}, true)
	if fresh.Status != "abandoned" || stale.Status != "abandoned" {
		t.Error("a replayed response replaced a later read")
	}
	for i := range maxCarts {
		c.see(Cart{ID: fmt.Sprint(i), Revision: 1}, false)
	}
	if _, seen := c.get("c1"); seen || len(c.carts) != maxCarts || c.order.Len() != maxCarts {
		t.Error("the cache exceeds maxCarts")
	}
}
