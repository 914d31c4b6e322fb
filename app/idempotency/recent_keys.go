package idempotency

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/cartwright-dev/cartwright/ports"
)

// RecentKeys is a probabilistic set of the keys this process has recently received. A new key may overwrite
// an older one. Nearly every key is new, so that a cache of receipts is asked only for those it has.
type RecentKeys [1 << 16]atomic.Uint64

// MarkSeen adds k, and reports whether it was in the set already. Without a set every key counts as seen.
func (h *RecentKeys) MarkSeen(k ports.ReceiptKey) bool {
	if h == nil {
		return true
	}
	part := binary.LittleEndian.Uint64(k[2:]) | 1 // never 0, the value of an empty slot
	return h[binary.LittleEndian.Uint16(k[:])].Swap(part) == part
}
