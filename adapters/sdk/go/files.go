package cartwright

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// download writes the file that an operation answers, and returns its size. Only an attempt that wrote nothing is repeated. The
// timeout of an attempt is that until the file begins; ctx bounds the rest.
func (c *core) download(ctx context.Context, o operation, in any, to io.Writer, opts []Option) (int64, error) {
	r, err := o.request(in)
	if err != nil {
		return 0, invalid(o.name, err)
	}
	r.accept = "*/*"
	set := options{timeout: c.timeout}
	for _, change := range opts {
		change(&set)
	}
	for attempt := 1; ; attempt++ {
		if ctx.Err() != nil {
			return 0, aborted(ctx, o.name)
		}
		size, failed, err := c.fetch(ctx, r, set.timeout, to)
		if failed == nil {
			return size, err
		}
		if size > 0 || attempt >= c.retry.Attempts || !again(failed) {
			return size, failed
		}
		if c.pause(ctx, c.retry.delay(attempt, failed.RetryAfter)) != nil {
			return 0, aborted(ctx, o.name)
		}
	}
}

// fetch is one attempt of download. err is that of to.
func (c *core) fetch(ctx context.Context, r request, timeout time.Duration, to io.Writer) (size int64, failed *Error, err error) {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	late := time.AfterFunc(timeout, cancel)
	res, failed := c.exchange(ctx, limited, r, "")
	begun := late.Stop()
	if failed != nil {
		return 0, failed, nil
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	if res.StatusCode != http.StatusOK || !begun || strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
		if err != nil {
			return 0, silence(ctx, limited, r.name, err), nil
		}
		if _, failed = judge(r, res, text); failed == nil {
			failed = &Error{Operation: r.name, Reason: ReasonInvalidResponse, Status: res.StatusCode, Message: "The answer is no file."}
		}
		return 0, failed, nil
	}
	out := &outlet{to: to}
	if size, err = io.Copy(out, res.Body); err != nil && out.err == nil {
		return size, silence(ctx, limited, r.name, err), nil
	}
	return size, nil, out.err
}

// outlet remembers why its writer failed.
type outlet struct {
	to  io.Writer
	err error
}

// Write implements io.Writer.
func (o *outlet) Write(p []byte) (n int, err error) {
	n, o.err = o.to.Write(p)
	return n, o.err
}
