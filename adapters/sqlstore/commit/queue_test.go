package commit

import (
	"fmt"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// The queue and a batch are bounded by the bytes of their steps. A step that alone has more is still written.
func TestQueueIsBoundedByBytes(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	c := New(Options{DB: &db.DB{Dialect: &db.Dialect{Postgres: true}}})
	c.open = c.lanes // nothing is written
	step := func(n, bytes int) *pendingStep {
		return &pendingStep{bytes: bytes, conflictKeys: []conflictKey{{record: fmt.Sprint(n)}}}
	}
	accepted := 0
	for c.enqueue(step(accepted, size)) {
		accepted++
	}
	if accepted != waitingBytes/size {
		t.Errorf("%d steps of 1 MiB wait", accepted)
	}
	for left := accepted; left > 0; {
		batch := c.next()
		if len(batch) != maxBytes/size {
			t.Fatalf("%d steps of 1 MiB in a batch", len(batch))
		}
		left -= len(batch)
	}
	if c.bytes != 0 || len(c.waiting) != 0 {
		t.Errorf("%d bytes of %d steps wait after the last batch", c.bytes, len(c.waiting))
	}
	if !c.enqueue(step(accepted, 2*waitingBytes)) || len(c.next()) != 1 {
		t.Error("a large step alone was refused")
	}
}
