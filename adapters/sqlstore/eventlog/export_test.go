package eventlog

// Narrow is l with pages that look at few numbers.
func (l Log) Narrow(window int64) Log {
	l.window = window
	return l
}

// SetSize sets how many events the next round takes.
func (s *Sequencer) SetSize(events int64) { s.size = events }
