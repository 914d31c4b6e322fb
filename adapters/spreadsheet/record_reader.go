package spreadsheet

import "bufio"

// recordReader passes text on line by line, and at most maxRecord bytes of a record: the CSV reader finds the
// end of a record only when it has all of it in memory.
type recordReader struct {
	from       *bufio.Reader
	used       int // bytes of the current record
	blankLines int // empty lines before it
}

// begin begins a record.
func (r *recordReader) begin() { r.used, r.blankLines = 0, 0 }

// Read implements io.Reader. It stops at the end of a line, so that it reads nothing of the next record.
// Errors: those of rowTooLong, those of from.
func (r *recordReader) Read(p []byte) (n int, err error) {
	if r.used > maxRecord {
		return 0, rowTooLong(0)
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
		r.blankLines++
	}
	return n, nil
}
