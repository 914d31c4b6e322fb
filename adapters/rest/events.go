package rest

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/streaming"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Events registers the stream of events. Contract 10.
//
// A sign of life is a comment with an id: it moves the browser's Last-Event-ID on although nothing was to be told, so that
// a reader of rare events does not begin far back when it comes again. With each the credentials are looked at anew, so a
// key that was revoked, a role that was taken or a token that has expired ends the stream within a heartbeat.
type Events struct {
	Streams *streaming.Streaming
	Access  Authenticator
}

const (
	mimeEventStream = "text/event-stream"
	headerEventID   = "Last-Event-ID"
)

// Mount implements Area.
func (a Events) Mount(r fiber.Router) { r.Get("/events/stream", a.stream) }

func (a Events) stream(c *fiber.Ctx) error {
	call, err := caller(c)
	if err != nil {
		return err
	}
	q, err := streamAsked(c)
	if err != nil {
		return err
	}
	stream, err := a.Streams.Open(c.UserContext(), call.Principal, q)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, mimeEventStream)
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	if c.Method() == fiber.MethodHead {
		stream.Close()
		return nil
	}
	c.Set("X-Accel-Buffering", "no")         // a proxy that collects what it passes on would hold events back
	c.Response().Header.SetConnectionClose() // nothing else comes by it
	s := &eventStream{stream: stream, conn: c.Context().Conn(), known: call.Principal, credentials: credentials(c), access: a.Access, checked: time.Now()}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.frame = append(strconv.AppendInt(append(s.frame, "retry: 2000\nid: "...), stream.At(), 10), "\n\n"...)
	c.Response().SetBodyStream(s, -1)
	return nil
}

// streamAsked reads where a stream begins. A browser that comes again says so in a header, and repeats its address.
func streamAsked(c *fiber.Ctx) (q streaming.Asked, err error) {
	params, err := queryOf(c, []string{"after", "collection"})
	if err != nil {
		return q, err
	}
	slugs, err := wordsParam(params, "collection")
	if err != nil {
		return q, err
	}
	q.Collections = operation.Slugs(slugs)
	if q.After = c.Get(headerEventID); q.After != "" {
		return q, nil
	}
	if n, ok := params["after"].(collection.Numeral); ok {
		q.After = string(n)
		return q, nil
	}
	q.After, err = wordsParam(params, "after")
	return q, err
}

// eventStream is a stream on its way to its reader, who has to keep up. Read is called for one piece after the other, each
// of which is sent at once.
type eventStream struct {
	stream      *streaming.Stream
	conn        net.Conn
	known       tenant.Principal
	credentials access.Credentials
	access      Authenticator
	checked     time.Time // when the credentials were last looked at
	events      []streaming.Told
	frame       []byte          // what is to be sent next
	sent        int             // of it
	ctx         context.Context //nolint:containedctx // of what outlives its handler
	cancel      context.CancelFunc
}

// Read implements io.Reader.
func (s *eventStream) Read(p []byte) (int, error) {
	if s.sent == len(s.frame) {
		if err := s.next(); err != nil {
			return 0, io.EOF // a reader that comes again is told why
		}
	}
	_ = s.conn.SetWriteDeadline(time.Now().Add(slowest)) // a connection that is gone shows at the write
	n := copy(p, s.frame[s.sent:])
	s.sent += n
	return n, nil
}

// recheck is how long credentials count that were good.
const recheck = 15 * time.Second

// errChanged ends a stream whose reader has become somebody else.
var errChanged = errors.New("the reader may read something else now")

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
	batch, err := s.stream.Next(s.ctx)
	if err != nil {
		return err
	}
	if time.Since(s.checked) >= recheck || len(batch.Events) == 0 {
		if err := s.check(); err != nil {
			return err
		}
	}
	if s.events = batch.Events; len(s.events) > 0 {
		return s.next()
	}
	s.frame = append(strconv.AppendInt(append(s.frame, ": alive\nid: "...), batch.At, 10), "\n\n"...)
	return nil
}

// check asks who the reader is by now.
func (s *eventStream) check() error {
	p, err := s.access.Authenticate(s.ctx, s.credentials)
	switch {
	case err != nil && fault.From(err).Kind != fault.Unavailable && fault.From(err).Kind != fault.Internal:
		return err
	case err != nil:
		return nil //nolint:nilerr // nobody can tell at the moment
	case p.Kind != s.known.Kind || p.ID != s.known.ID || p.Role != s.known.Role || p.CanRead != s.known.CanRead || p.Tenant.ID != s.known.Tenant.ID:
		return errChanged
	}
	s.checked = time.Now()
	return nil
}

// Close implements io.Closer.
func (s *eventStream) Close() error {
	s.cancel()
	s.stream.Close()
	return nil
}

// Describe implements Describer.
func (Events) Describe() []openapi.Route {
	return []openapi.Route{{
		Tag: "Events", Gives: []string{mimeEventStream},
		Headers: []collection.Field{{Name: headerEventID, Kind: collection.Text, Doc: "The id of the last event that arrived; browsers send it by themselves. It counts before after."}},
		Operation: operation.Operation{
			Name: "events.stream", Summary: "Follow what happens as it happens",
			Doc: "Server-Sent Events without a name: id is the sequence of the event, data the event as the log has it. Without a number it begins with what happens from then on; with one nothing is missed and nothing comes twice. " +
				"At least every 15 seconds there is a sign of life. The stream ends when the server restarts, or the credentials end: come again with Last-Event-ID.",
			Method: "GET", Path: "/api/events/stream", Who: []tenant.Kind{tenant.User, tenant.SecretKey}, Input: operation.EventInput,
			Reasons: []*fault.Error{streaming.ErrBeyond, streaming.ErrTrimmed, streaming.ErrStreams},
		},
	}}
}
