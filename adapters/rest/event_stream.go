package rest

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// serveEventStream answers with a stream of events as Server-Sent Events. Rule events-4.
//
// A heartbeat is a comment with an id: it advances the browser's Last-Event-ID although there was no event to
// send, so that a reader of rare events does not begin far back when it reconnects. With each one the
// credentials are checked again, so a revoked key, a role that was taken away or an expired token ends the
// stream within a heartbeat.
func serveEventStream(c *fiber.Ctx, o *operation.Operation, r operation.Request) error {
	s := &eventStream{checked: time.Now()}
	r.Subscribe = func(from *operation.Subscription) { s.source = from }
	if _, err := o.Do(c.UserContext(), r); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, operation.EventStream)
	c.Set(fiber.HeaderCacheControl, cachePrivate)
	if c.Method() == fiber.MethodHead {
		s.source.Close()
		return nil
	}
	c.Set("X-Accel-Buffering", "no")         // a buffering proxy would hold events back
	c.Response().Header.SetConnectionClose() // the stream is the last answer of its connection
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.frame = append(strconv.AppendInt(append(s.frame, "retry: 2000\nid: "...), s.source.Position(), 10), "\n\n"...)
	c.Response().SetBodyStream(s, -1)
	return nil
}

// eventStream is the body of a stream. Read returns one frame at a time, and each is sent at once; a client
// that does not read it in time is disconnected.
type eventStream struct {
	source  *operation.Subscription
	checked time.Time // when the credentials were checked last
	events  []eventfeed.EncodedEvent
	frame   []byte          // what is sent next
	sent    int             // bytes of frame
	ctx     context.Context //nolint:containedctx // the stream outlives its handler
	cancel  context.CancelFunc
}

// Read implements io.Reader.
func (s *eventStream) Read(p []byte) (int, error) {
	if s.sent == len(s.frame) {
		if err := s.next(); err != nil {
			return 0, io.EOF // the client gets the cause when it reconnects
		}
	}
	n := copy(p, s.frame[s.sent:])
	s.sent += n
	return n, nil
}

// recheckInterval is how long accepted credentials are trusted.
const recheckInterval = 15 * time.Second

// next makes the next frame.
func (s *eventStream) next() error {
	s.frame, s.sent = s.frame[:0], 0
	if len(s.events) > 0 {
		e := s.events[0]
		s.events = s.events[1:]
		s.frame = append(strconv.AppendInt(append(s.frame, "id: "...), e.Sequence, 10), "\ndata: "...)
		s.frame = append(append(s.frame, e.JSON...), "\n\n"...)
		return nil
	}
	batch, err := s.source.Next(s.ctx)
	if err != nil {
		return err
	}
	if time.Since(s.checked) >= recheckInterval || len(batch.Events) == 0 {
		if err := s.check(); err != nil {
			return err
		}
	}
	if s.events = batch.Events; len(s.events) > 0 {
		return s.next()
	}
	s.frame = append(strconv.AppendInt(append(s.frame, ": alive\nid: "...), batch.Position, 10), "\n\n"...)
	return nil
}

// check authenticates the client again. The stream continues while that is not possible.
func (s *eventStream) check() error {
	err := s.source.Recheck(s.ctx)
	switch {
	case err == nil:
		s.checked = time.Now()
	case fault.From(err).Kind != fault.Unavailable && fault.From(err).Kind != fault.Internal:
		return err
	}
	return nil
}

// Close implements io.Closer.
func (s *eventStream) Close() error {
	s.cancel()
	s.source.Close()
	return nil
}
