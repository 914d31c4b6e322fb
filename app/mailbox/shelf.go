package mailbox

import "time"

// shelf keeps the states of keys without work in two generations: a full or old one is dropped as a whole, which bounds
// number and age without timers or lists.
type shelf[K comparable, S any] struct {
	limit      int // per generation
	idle       time.Duration
	young, old map[K]S
	turned     time.Time // when young began
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
	s.young[key] = kept
}

// turn makes the young generation the old one, and drops the old one, when it is time.
func (s *shelf[K, S]) turn(now time.Time) {
	age := now.Sub(s.turned)
	switch {
	case age >= 2*s.idle:
		s.young, s.old, s.turned = nil, nil, now
	case len(s.young) >= s.limit || age >= s.idle:
		s.young, s.old, s.turned = nil, s.young, now
	}
}
