package rest

import (
	"sync"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
)

// How many bytes of bodies, of stored records and of answers are in memory at a time, for the whole server and for the
// clients of one address. The first freeBodyBytes of each body and freeAnswerBytes of each answer do not count: what
// shoppers send and are sent is smaller, so that they are not refused because of others.
const (
	maxMemory        = 256 << 20
	maxMemoryAddress = 64 << 20
	freeBodyBytes    = 16 << 10
	freeAnswerBytes  = 256 << 10
)

// spoolBytes is how many bytes of files that arrived before they are needed are on disk at a time.
const spoolBytes = 512 << 20

// memoryBudget counts bytes that requests keep in memory. The zero value is ready for use.
type memoryBudget struct {
	mu        sync.Mutex
	total     int64
	byAddress map[string]int64
}

// take counts n more bytes of a client at address. Errors: read.ErrBusy, if it is refusable.
func (b *memoryBudget) take(address string, n int64, refusable bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if refusable && (b.total+n > maxMemory || b.byAddress[address]+n > maxMemoryAddress) {
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
func (b *memoryBudget) release(address string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.total -= n
	if b.byAddress[address] -= n; b.byAddress[address] <= 0 {
		delete(b.byAddress, address)
	}
}

// reservation is what one request has of a budget: what it keeps, beyond free bytes. Its Take and AllowRefusal
// are those of ports.Memory.
type reservation struct {
	budget  *memoryBudget
	address string // of the client
	free    int64

	mu        sync.Mutex // fields of a document are read at the same time
	refusable bool
	kept      int64
	reserved  int64
}

// Take counts n more bytes. Errors: read.ErrBusy.
func (r *reservation) Take(n int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keep(r.kept + n)
}

// AllowRefusal says that the request changes nothing.
func (r *reservation) AllowRefusal() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refusable = true
}

// replace counts n bytes in place of those before. Errors: read.ErrBusy.
func (r *reservation) replace(n int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keep(n)
}

// keep has n bytes be kept. More is kept already when it is refused.
func (r *reservation) keep(n int64) error {
	r.kept = n
	switch more := max(0, n-r.free) - r.reserved; {
	case more < 0:
		r.budget.release(r.address, -more)
		r.reserved += more
	case more > 0:
		if err := r.budget.take(r.address, more, r.refusable); err != nil {
			return err
		}
		r.reserved += more
	}
	return nil
}

// release gives everything back.
func (r *reservation) release() { _ = r.replace(0) }
