package eventlog

// Narrow is l with pages that look at few numbers.
func (l Log) Narrow(window int64) Log {
	l.window = window
	return l
}

// SetSize sets how many events the next round takes.
func (s *Sequencer) SetSize(events int64) { s.size = events }

// Woken reports whether s has been woken since the last call.
func (s *Sequencer) Woken() bool {
	select {
	case <-s.woken:
		return true
	default:
		return false
	}
}

// ID is the id of s in notifications.
func (s *Sequencer) ID() string { return s.id }

// EventsWait is what a process sends that ends.
const EventsWait = eventsWait
