package shopping

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/cartwright-dev/cartwright/ports"
)

// heard is a hint which keys this process was asked with of late. A newer key takes the place of an older one at random.
type heard [1 << 16]atomic.Uint64

// before notes k, and reports whether it was noted already.
func (h *heard) before(k ports.ReceiptKey) bool {
	part := binary.LittleEndian.Uint64(k[2:]) | 1 // none is as an empty place
	return h[binary.LittleEndian.Uint16(k[:])].Swap(part) == part
}
