package sheet

import "bufio"

// records hands text on line by line, and no record of more than maxRecord bytes: what reads it knows where a record ends
// only when it is in memory as a whole.
type records struct {
	from  *bufio.Reader
	used  int // bytes of the record that is being read
	blank int // lines before it that are empty
}

// next begins a record.
func (r *records) next() { r.used, r.blank = 0, 0 }

// Read implements io.Reader. It ends with the line, so that nothing of the next record is taken with this one. Errors: those
// of longRow, those of from.
func (r *records) Read(p []byte) (n int, err error) {
	if r.used > maxRecord {
		return 0, longRow(0)
	}
	for n < len(p) {
		b, err := r.from.ReadByte()
		if err != nil {
			return n, err
		}
		p[n] = b
		if n++; b == '\n' {
			break
		}
	}
	r.used += n
	if blankLine := n == r.used && n <= len("\r\n") && p[n-1] == '\n' && (n == 1 || p[0] == '\r'); blankLine {
		r.used = 0
		r.blank++
	}
	return n, nil
}
