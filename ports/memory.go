package ports

import "context"

// Memory counts the bytes of stored records that a request holds, with those of the answer that is made of them. All
// requests share what there is. A store counts with MemoryOf what it reads.
type Memory struct {
	// Take counts n more bytes. Errors: fault.ErrUnavailable when there are too many in this moment, which only
	// requests that AllowRefusal meet.
	Take func(n int64) error
	// AllowRefusal says that the request changes nothing, so that it can be refused at any time.
	AllowRefusal func()
}

type memoryKey struct{}

// WithMemory is ctx with the memory of its request.
func WithMemory(ctx context.Context, m Memory) context.Context {
	return context.WithValue(ctx, memoryKey{}, m)
}

// MemoryOf is the memory of the request of ctx. Outside of requests nothing is counted.
func MemoryOf(ctx context.Context) Memory {
	if m, ok := ctx.Value(memoryKey{}).(Memory); ok {
		return m
	}
	return Memory{Take: func(int64) error { return nil }, AllowRefusal: func() {}}
}
