package carts

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/cartwright-dev/cartwright/ports"
)

// recentKeys is a probabilistic set of the keys this process has recently received. A new key may overwrite
// an older one.
type recentKeys [1 << 16]atomic.Uint64

// markSeen adds k, and reports whether it was in the set already.
func (h *recentKeys) markSeen(k ports.ReceiptKey) bool {
	part := binary.LittleEndian.Uint64(k[2:]) | 1 // never 0, the value of an empty slot
	return h[binary.LittleEndian.Uint16(k[:])].Swap(part) == part
}
