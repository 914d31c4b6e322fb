// Package streaming shows what happened in a shop to programs that follow along: page by page, or as it happens. Contract 10.
//
// Decisions of our own, where the contract is silent:
//
//   - Events are for staff: users by their role, and secret keys that may read. Each sees events of the collections that it
//     may read, of its environment and of what belongs to both. Client keys and customers see none.
//   - A page looks at a bounded part of the log. With a filter it may be short, or empty, although there is more: nextAfter
//     says how far it looked. A page with limit 0 has no events and says where the reader stands.
//   - A number that was never given out is refused: a reader that is ahead of the log reads another one than it began with,
//     as after a restore, and would miss what comes next without a word.
//   - Events are kept for a while. A reader that was away for longer is refused, since it would miss some without a word;
//     0 begins with the oldest that is kept.
//   - A stream without a number begins with what happens from then on, a page without one with the oldest event.
//   - There is one reader for each followed shop in a process, however many streams there are, and one look for all of them
//     together at whether anything is new. Streams that are behind what it remembers read the log by themselves, so a slow
//     client costs nobody anything else, and an idle one only its connection.
package streaming

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of this package.
var (
	ErrBeyond  = fault.New(fault.Invalid, "event_number_unknown", "No event has this number yet. Begin anew: without a number, or with latest.")
	ErrTrimmed = fault.New(fault.Conflict, "events_trimmed", "What follows on this event is not kept any more. Read the records, and begin anew with latest.")
	ErrStreams = fault.New(fault.Limited, "too_many_streams", "This shop has too many streams open.").Retry(time.Minute)
)

// Latest is where nothing has happened yet.
const Latest = "latest"

// Options is what streams are made of.
type Options struct {
	Log       ports.EventLog
	Registry  *collection.Registry
	Logger    *slog.Logger
	Look      time.Duration // between two looks at the log; 0 is 100 ms
	Heartbeat time.Duration // a stream says something at least this often; 0 is 15 s
	Most      int           // streams of one shop in this process; 0 is 500
}

// Streaming is the use cases of this package, and the streams of this process. Run it, and End it.
type Streaming struct {
	Options

	mu    sync.Mutex
	feeds map[tenant.ID]*feed
	ended chan struct{}
	over  bool
}

// New makes the streams of a process.
func New(o Options) *Streaming {
	if o.Look == 0 {
		o.Look = 100 * time.Millisecond
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 15 * time.Second
	}
	if o.Most == 0 {
		o.Most = 500
	}
	return &Streaming{Options: o, feeds: map[tenant.ID]*feed{}, ended: make(chan struct{})}
}

// Asked is what a reader wants.
type Asked struct {
	After       string   // a number, Latest, or "": see the package
	Collections []string // slugs; none: all that the reader may read
	Limit       int      // of a page: 0..collection.MaxLimit
}

// view is which events a reader sees.
type view struct {
	tenant      tenant.ID
	environment tenant.Environment
	collections []string
}

func (v view) shows(of string, in tenant.Environment) bool {
	return (in == "" || in == v.environment) && slices.Contains(v.collections, of)
}

// view is what p sees of what it asks for. Errors: fault.ErrUnauthenticated, fault.ErrForbidden, fault.ErrValidation.
func (s *Streaming) view(p tenant.Principal, asked []string) (view, error) {
	v := view{tenant: p.Tenant.ID, environment: p.Environment}
	switch {
	case p.Kind == tenant.Anonymous || p.Kind == "":
		return v, fault.ErrUnauthenticated
	case !p.Staff():
		return v, fault.ErrForbidden
	}
	all := s.Registry.All()
	if len(asked) > 0 {
		all = make([]*collection.Schema, len(asked))
		for i, slug := range asked {
			if all[i] = s.Registry.Get(slug); all[i] == nil {
				return v, fault.Invalidf("collection", "%s is not a collection.", strconv.Quote(slug))
			}
		}
	}
	for _, schema := range all {
		reach, err := access.Allowed(p, schema, collection.Read)
		switch {
		case err == nil && reach.All:
			v.collections = append(v.collections, schema.Slug)
		case len(asked) > 0:
			return v, fault.ErrForbidden
		}
	}
	if len(v.collections) == 0 {
		return v, fault.ErrForbidden
	}
	return v, nil
}

// begin is the number after which a reader begins who asks for after; absent stands for "".
// Errors: fault.ErrValidation, ErrBeyond, ErrTrimmed.
func (s *Streaming) begin(ctx context.Context, of tenant.ID, after, absent string) (at, newest int64, err error) {
	if after == "" {
		after = absent
	}
	if after != Latest {
		if at, err = strconv.ParseInt(after, 10, 64); err != nil || at < 0 {
			return 0, 0, fault.Invalidf("after", "after is the number of an event, or %s.", Latest)
		}
	}
	last, err := s.Log.Newest(ctx, []tenant.ID{of})
	if err != nil {
		return 0, 0, err
	}
	newest = last[of]
	switch {
	case after == Latest:
		at = newest
	case at > newest:
		return 0, 0, ErrBeyond
	case at > 0 && at < newest:
		if trimmed, err := s.Log.Trimmed(ctx, of); err != nil || at < trimmed {
			return 0, 0, cmp.Or(err, error(ErrTrimmed))
		}
	}
	return at, newest, nil
}
