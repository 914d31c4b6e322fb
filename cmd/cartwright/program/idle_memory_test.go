package program

import "testing"

func TestIdleServerReturnsMemoryOnce(t *testing.T) {
	t.Parallel()
	allocated, released := uint64(0), 0
	m := &idleMemory{allocated: func() uint64 { return allocated }, release: func() { released++ }}
	for _, minute := range []struct {
		name      string
		allocates uint64
		want      int
	}{
		{"the start leaves memory behind", 60 << 20, 1},
		{"it was returned", 1 << 20, 1},
		{"a busy minute keeps its memory", 500 << 20, 1},
		{"a second one, too", 500 << 20, 1},
		{"the first quiet minute returns it", 1 << 20, 2},
		{"there is little to return", 10 << 20, 2},
		{"there is something again", 10 << 20, 3},
	} {
		allocated += minute.allocates
		if m.look(t.Context()); released != minute.want {
			t.Errorf("%s: returned %d times, want %d", minute.name, released, minute.want)
		}
	}
}
