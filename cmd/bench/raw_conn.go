package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// rawConn is a minimal HTTP client with one kept connection, for responses with a Content-Length. The cost of
// the client is part of the measurement, as pgbench's own cost is, and pgbench is lean.
type rawConn struct {
	address string
	dial    func(network, address string) (net.Conn, error)
	conn    net.Conn
	request []byte
	answer  []byte
}

func newRawConns(base string, n int) []*rawConn {
	all := make([]*rawConn, n)
	for i := range all {
		all[i] = &rawConn{address: strings.TrimPrefix(base, "http://"), dial: (&net.Dialer{}).Dial, answer: make([]byte, 64<<10)}
	}
	return all
}

func closeAll(wires []*rawConn) {
	for _, w := range wires {
		if w.conn != nil {
			_ = w.conn.Close() // no request is running
		}
	}
}

// do returns the status and the body, which is valid until the next call. It reconnects after a broken
// connection.
func (w *rawConn) do(r request) (status int, body []byte, err error) {
	if w.conn == nil {
		if w.conn, err = w.dial("tcp", w.address); err != nil {
			w.conn = nil
			return 0, nil, err
		}
	}
	status, body, err = w.exchange(r)
	if err != nil {
		err = errors.Join(err, w.conn.Close())
		w.conn = nil
	}
	return status, body, err
}

var (
	headEnd = []byte("\r\n\r\n")
	length  = []byte("Content-Length: ")
)

// expect does r; the answer must be 200 and start with start.
func (w *rawConn) expect(start string, r request) error {
	status, body, err := w.do(r)
	if err == nil && (status != 200 || !bytes.HasPrefix(body, []byte(start))) {
		err = fmt.Errorf("%s %s: status %d: %s", r.method, r.path, status, body)
	}
	return err
}

func (w *rawConn) exchange(r request) (status int, body []byte, err error) {
	w.request = fmt.Appendf(w.request[:0], "%s %s HTTP/1.1\r\nHost: %s\r\nX-API-Key: %s\r\n", r.method, r.path, w.address, r.secret)
	if r.key != "" {
		w.request = fmt.Appendf(w.request, "Idempotency-Key: %s\r\n", r.key)
	}
	if r.body != nil {
		w.request = fmt.Appendf(w.request, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(r.body))
	}
	w.request = append(append(w.request, "\r\n"...), r.body...)
	if _, err := w.conn.Write(w.request); err != nil {
		return 0, nil, err
	}
	for n, end := 0, -1; ; {
		more, err := w.conn.Read(w.answer[n:])
		if n += more; err != nil {
			return 0, nil, err
		}
		if end < 0 {
			if end = bytes.Index(w.answer[:n], headEnd); end < 0 {
				continue
			}
			end += len(headEnd)
			if status, body, err = w.head(end); err != nil {
				return 0, nil, err
			}
		}
		switch missing := len(body) - (n - end); {
		case missing == 0:
			return status, body, nil
		case missing < 0:
			return 0, nil, io.ErrUnexpectedEOF
		}
	}
}

// head reads the status and the position of the body.
func (w *rawConn) head(end int) (status int, body []byte, err error) {
	head := w.answer[:end]
	at := bytes.Index(head, length)
	if at < 0 || len(head) < 12 {
		return 0, nil, fmt.Errorf("no length in %q", head)
	}
	text, _, _ := bytes.Cut(head[at+len(length):], []byte("\r\n"))
	size, err := strconv.Atoi(string(text))
	if err == nil {
		status, err = strconv.Atoi(string(head[9:12]))
	}
	if err != nil || end+size > len(w.answer) {
		return 0, nil, fmt.Errorf("unusable answer %q: %w", head, err)
	}
	return status, w.answer[end : end+size], nil
}
