package eventlog

// Narrow is l with pages that look at few numbers.
func (l Log) Narrow(window int64) Log {
	l.window = window
	return l
}
