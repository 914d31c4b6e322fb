package reply

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// growthStep is how many bytes a text grows by before they are counted.
const growthStep = 256 << 10

// Growth bounds the text of one answer while it is made. It is for one goroutine.
type Growth struct {
	Most   int // bytes
	Memory ports.Memory
	Err    error // why it is full: collection.ErrAnswerTooLarge, or fault.ErrUnavailable; nil: it is not

	counted int
}

// Full counts what the text has grown by, and reports whether it may grow no more.
func (g *Growth) Full(size int) bool {
	switch {
	case g.Err != nil:
	case size > g.Most:
		g.Err = collection.ErrAnswerTooLarge
	case size-g.counted > growthStep:
		g.Err = g.Memory.Take(int64(size - g.counted))
		g.counted = size
	}
	return g.Err != nil
}
