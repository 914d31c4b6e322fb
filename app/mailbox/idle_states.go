package mailbox

import "time"

// idleStates stores the states of idle keys in two generations. A full or old generation is dropped as a
// whole, which bounds number and age without timers or lists. Without any work both are dropped once the
// newest state is old.
type idleStates[K comparable, S any] struct {
	maxPerGeneration int // per generation
	ttl              time.Duration
	young, old       map[K]S
	rotatedAt        time.Time // when the young generation began
	lastPutAt        time.Time // when the newest state was put
}

func (s *idleStates[K, S]) take(key K) S {
	if kept, ok := s.young[key]; ok {
		delete(s.young, key)
		return kept
	}
	kept := s.old[key]
	delete(s.old, key)
	return kept
}

func (s *idleStates[K, S]) put(key K, kept S, now time.Time) {
	s.rotate(now)
	if s.young == nil {
		s.young = map[K]S{}
	}
	s.young[key], s.lastPutAt = kept, now
}

// rotate makes the young generation the old one, and drops the previous old one, when it is due.
func (s *idleStates[K, S]) rotate(now time.Time) {
	switch {
	case now.Sub(s.lastPutAt) >= s.ttl:
		s.young, s.old, s.rotatedAt = nil, nil, now
	case len(s.young) >= s.maxPerGeneration || now.Sub(s.rotatedAt) >= s.ttl:
		s.young, s.old, s.rotatedAt = nil, s.young, now
	}
}
