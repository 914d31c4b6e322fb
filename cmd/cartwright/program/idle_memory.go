package program

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
)

// quietAllocations is how many bytes a process allocates in a tidyInterval at most that counts as idle.
const quietAllocations = 16 << 20

// idleMemory returns memory to the operating system that a start, or a busy time that is over, leaves behind. With
// gcPercent the runtime keeps several times what is in use, which pays while there is work, and an idle process would
// keep it for long: a collection only begins when that much was allocated again.
type idleMemory struct {
	allocated func() uint64 // bytes since the start of the process
	release   func()
	seen      uint64 // allocated at the last look
	released  uint64 // allocated when memory was last returned; 0 before
}

func newIdleMemory() *idleMemory {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	return &idleMemory{release: debug.FreeOSMemory, allocated: func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}}
}

// look returns memory at the first call, and whenever little was allocated since the call before and enough since memory
// was last returned. It is called every tidyInterval.
func (m *idleMemory) look(context.Context) (more bool) {
	now := m.allocated()
	quiet := m.seen == 0 || now-m.seen < quietAllocations
	if quiet && (m.released == 0 || now-m.released >= quietAllocations) {
		m.release()
		m.released = now
	}
	m.seen = now
	return false
}
