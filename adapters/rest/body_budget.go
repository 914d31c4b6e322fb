package rest

import (
	"sync"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
)

// How many bytes of bodies are kept in memory at a time, by the whole server and by the clients of one address. The
// first freeBodyBytes of each body do not count: what shoppers send is smaller, so that large bodies of others never
// have them refused.
const (
	maxBodyBytes        = 256 << 20
	maxBodyBytesAddress = 64 << 20
	freeBodyBytes       = 16 << 10
)

// spoolBytes is how many bytes of files that arrived before they are needed are on disk at a time.
const spoolBytes = 512 << 20

// bodyBudget counts the bytes of bodies that are kept in memory. The zero value is ready for use.
type bodyBudget struct {
	mu        sync.Mutex
	total     int64
	byAddress map[string]int64
}

// take counts n more bytes of a client at address. Errors: read.ErrBusy.
func (b *bodyBudget) take(address string, n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.total+n > maxBodyBytes || b.byAddress[address]+n > maxBodyBytesAddress {
		return read.ErrBusy
	}
	if b.byAddress == nil {
		b.byAddress = map[string]int64{}
	}
	b.total += n
	b.byAddress[address] += n
	return nil
}

// release gives n bytes back.
func (b *bodyBudget) release(address string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.total -= n
	if b.byAddress[address] -= n; b.byAddress[address] <= 0 {
		delete(b.byAddress, address)
	}
}
