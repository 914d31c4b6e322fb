package spreadsheet

import "bufio"

// recordReader hands text on line by line, and no record of more than maxRecord bytes: what reads it knows where a record ends
// only when it is in memory as a whole.
type recordReader struct {
	from       *bufio.Reader
	used       int // bytes of the record that is being read
	blankLines int // lines before it that are empty
}

// begin begins a record.
func (r *recordReader) begin() { r.used, r.blankLines = 0, 0 }

// Read implements io.Reader. It ends with the line, so that nothing of the next record is taken with this one. Errors: those
// of rowTooLong, those of from.
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
