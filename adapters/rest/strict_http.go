package rest

import (
	"bytes"

	"github.com/valyala/fasthttp"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// checkHead refuses a request that another server, in front of this one, may read in another way: where two readers
// disagree on where a request ends, one client can put words into the mouth of the next. The framework accepts some of
// these. Errors: fault.ErrMalformed.
func checkHead(ctx *fasthttp.RequestCtx) error {
	h := &ctx.Request.Header
	if c, ok := ctx.Conn().(*lingeringConn); ok && c.takeBareLF() {
		return fault.ErrMalformed.WithMessage("Lines of a request end with CR LF.")
	}
	if bytes.IndexByte(h.RequestURI(), 0) >= 0 {
		return fault.ErrMalformed.WithMessage("A request has no NUL characters.")
	}
	if version := string(h.Protocol()); version != "HTTP/1.1" && version != "HTTP/1.0" {
		return fault.ErrMalformed.WithMessage("The version of a request is HTTP/1.1 or HTTP/1.0.")
	}
	count := headCount{}
	for line := range bytes.Lines(h.RawHeaders()) {
		if err := count.add(line); err != nil {
			return err
		}
	}
	switch {
	case count.hosts > 1 || count.hosts == 0 && h.IsHTTP11():
		return fault.ErrMalformed.WithMessage("A request has exactly one Host.")
	case count.lengths > 1:
		return fault.ErrMalformed.WithMessage("A request has one Content-Length at most.")
	case count.lengths > 0 && count.codings > 0:
		return fault.ErrMalformed.WithMessage("A request has a Content-Length or a Transfer-Encoding, not both.")
	case count.codings > 1 || count.codings == 1 && (!count.chunked || !h.IsHTTP11()):
		return fault.ErrMalformed.WithMessage("The only Transfer-Encoding is chunked.")
	}
	return nil
}

// headCount counts the headers that say where a request goes to and ends.
type headCount struct {
	hosts, lengths, codings int
	chunked                 bool
}

// add counts one line of the head, the empty one at its end included. Errors: fault.ErrMalformed.
func (n *headCount) add(line []byte) error {
	text, ok := bytes.CutSuffix(line, []byte("\r\n"))
	if !ok || bytes.ContainsAny(text, "\r\x00") {
		return fault.ErrMalformed.WithMessage("Lines of a request end with CR LF, and have no NUL characters.")
	}
	if len(text) == 0 {
		return nil
	}
	name, value, _ := bytes.Cut(text, []byte{':'})
	if bytes.ContainsAny(name, " \t") {
		return fault.ErrMalformed.WithMessage("The name of a header is followed by its colon, and no line continues another one.")
	}
	switch {
	case bytes.EqualFold(name, []byte("Host")):
		n.hosts++
		if bytes.ContainsAny(bytes.TrimSpace(value), ", \t/\\@?#") {
			return fault.ErrMalformed.WithMessage("A Host is a name or an address, and a port.")
		}
	case bytes.EqualFold(name, []byte("Content-Length")):
		n.lengths++
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		n.codings++
		n.chunked = bytes.EqualFold(bytes.TrimSpace(value), []byte("chunked"))
	}
	return nil
}
