package mailbox

import "time"

// shelf keeps the states of keys without work in two generations: a full or old one is dropped as a whole, which bounds
// number and age without timers or lists. Without work both go once the last state is old.
type shelf[K comparable, S any] struct {
	limit      int // per generation
	idle       time.Duration
	young, old map[K]S
	turned     time.Time // when young began
	filled     time.Time // when the last state came
}

func (s *shelf[K, S]) take(key K) S {
	if kept, ok := s.young[key]; ok {
		delete(s.young, key)
		return kept
	}
	kept := s.old[key]
	delete(s.old, key)
	return kept
}

func (s *shelf[K, S]) put(key K, kept S, now time.Time) {
	s.turn(now)
	if s.young == nil {
		s.young = map[K]S{}
	}
	s.young[key], s.filled = kept, now
}

// turn makes the young generation the old one, and drops the old one, when it is time.
func (s *shelf[K, S]) turn(now time.Time) {
	switch {
	case now.Sub(s.filled) >= s.idle:
		s.young, s.old, s.turned = nil, nil, now
	case len(s.young) >= s.limit || now.Sub(s.turned) >= s.idle:
		s.young, s.old, s.turned = nil, s.young, now
	}
}
