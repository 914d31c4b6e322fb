package mailbox

import "time"

// Sized is a state that knows its size. The pointer to a state implements it where states may be large; all others
// are counted as stateOverhead.
type Sized interface {
	// StateBytes is about how much memory the state takes.
	StateBytes() int
}

// stateOverhead is the memory of a stored state besides its bytes: its key and its slot in the map.
const stateOverhead = 256

// idleStates stores the states of idle keys in two generations. A full or old generation is dropped as a
// whole, which bounds number, bytes and age without timers or lists. Without any work both are dropped once the
// newest state is old.
type idleStates[K comparable, S any] struct {
	maxPerGeneration int // states
	maxBytes         int // of the states of a generation; a larger state is not stored
	ttl              time.Duration
	young, old       map[K]idleState[S]
	youngBytes       int
	rotatedAt        time.Time // when the young generation began
	lastPutAt        time.Time // when the newest state was put
}

type idleState[S any] struct {
	state S
	bytes int
}

func (s *idleStates[K, S]) take(key K) S {
	if kept, ok := s.young[key]; ok {
		delete(s.young, key)
		s.youngBytes -= kept.bytes
		return kept.state
	}
	kept := s.old[key]
	delete(s.old, key)
	return kept.state
}

func (s *idleStates[K, S]) put(key K, state *S, now time.Time) {
	bytes := stateOverhead
	if sized, ok := any(state).(Sized); ok {
		bytes += sized.StateBytes()
	}
	s.rotate(now, bytes)
	if bytes > s.maxBytes {
		return
	}
	if s.young == nil {
		s.young = map[K]idleState[S]{}
	}
	s.young[key], s.lastPutAt = idleState[S]{*state, bytes}, now
	s.youngBytes += bytes
}

// rotate makes the young generation the old one, and drops the previous old one, when it is due: because of its age,
// or because so many more bytes do not fit into it.
func (s *idleStates[K, S]) rotate(now time.Time, more int) {
	full := len(s.young) >= s.maxPerGeneration || len(s.young) > 0 && more <= s.maxBytes && s.youngBytes+more > s.maxBytes
	switch {
	case now.Sub(s.lastPutAt) >= s.ttl:
		s.young, s.old, s.rotatedAt, s.youngBytes = nil, nil, now, 0
	case full || now.Sub(s.rotatedAt) >= s.ttl:
		s.young, s.old, s.rotatedAt, s.youngBytes = nil, s.young, now, 0
	}
}
