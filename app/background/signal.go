package background

import "sync"

// Signal tells loops that there may be work for them. Its zero value has no listeners; its methods are safe for
// concurrent use.
type Signal struct {
	mu        sync.Mutex
	listeners []chan struct{}
}

// Listen returns a channel that receives after each later Send; several may be received as one. The signal keeps the
// channel forever, so listeners live as long as the signal does.
func (s *Signal) Listen() <-chan struct{} {
	told := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = append(s.listeners, told)
	return told
}

// Send tells all listeners, and waits for none.
func (s *Signal) Send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, told := range s.listeners {
		select {
		case told <- struct{}{}:
		default: // it has not looked since it was told before
		}
	}
}
