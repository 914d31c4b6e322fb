package eventfeed

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of this package.
var (
	ErrUnknownSequence = fault.NewInvalid("after", "event_number_unknown",
		"No event has this number yet. Start again without a number, or with latest.")
	ErrTrimmed = fault.New(fault.Conflict, "events_trimmed",
		"Events after this number are no longer available. Read the records, then start again with latest.")
	ErrTooManyStreams = fault.New(fault.Limited, "too_many_streams", "This shop has too many open event streams.").WithRetry(time.Minute)
)

// Latest is the position after the newest event.
const Latest = "latest"

// Options configure the streams.
type Options struct {
	Log                 ports.EventLog
	Store               ports.Store // has the names of actors
	Registry            *collection.Registry
	Logger              *slog.Logger
	PollInterval        time.Duration    // between polls of the log while it grows, else up to ten times as long; 0 is 100 ms
	Numbered            <-chan struct{}  // receives when there are new events; nil: they are found by polling
	Heartbeat           time.Duration    // the longest time without any data on a stream; 0 is 15 s
	MaxStreamsPerTenant int              // streams per tenant in this process; 0 is 500
	Task                *background.Task // of the loop that feeds the streams; may be nil
}

// Service implements pages of the log and streams. Start Run, and call Stop at the end.
type Service struct {
	Options

	mu        sync.Mutex
	feeds     map[tenant.ID]*tenantFeed
	stopped   chan struct{}
	isStopped bool
}

// New creates the Service of a process.
func New(o Options) *Service {
	if o.PollInterval == 0 {
		o.PollInterval = 100 * time.Millisecond
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 15 * time.Second
	}
	if o.MaxStreamsPerTenant == 0 {
		o.MaxStreamsPerTenant = 500
	}
	return &Service{Options: o, feeds: map[tenant.ID]*tenantFeed{}, stopped: make(chan struct{})}
}

// Query is what a reader requests.
type Query struct {
	After       string   // a sequence, Latest, or "": see the package comment
	Collections []string // slugs; none: all collections that the reader may read
	Limit       int      // of a page: 0..collection.MaxLimit

	// The following are for pages. With Record, After and Before are recordSequences.
	Before     int64  // only events with smaller numbers; 0: all
	Descending bool   // newest first
	Actor      string // a kind of actor, or the id of one; "": all
	Record     string // id; "": all
}

// eventView is the set of events a reader may see.
type eventView struct {
	tenant      tenant.ID
	environment tenant.Environment
	collections []string
}

func (v eventView) includes(of string, in tenant.Environment) bool {
	return (in == "" || in == v.environment) && slices.Contains(v.collections, of)
}

// viewFor is the view of p on the requested collections. Errors: fault.ErrUnauthenticated,
// fault.ErrForbidden, fault.ErrValidation.
func (s *Service) viewFor(p tenant.Principal, asked []string) (eventView, error) {
	v := eventView{tenant: p.Tenant.ID, environment: p.Environment}
	switch {
	case p.Kind == tenant.Anonymous || p.Kind == "":
		return v, fault.ErrUnauthenticated
	case !p.IsStaff():
		return v, fault.ErrForbidden
	}
	all := s.Registry.All()
	if len(asked) > 0 {
		all = make([]*collection.Schema, len(asked))
		for i, slug := range asked {
			if all[i] = s.Registry.Get(slug); all[i] == nil {
				return v, fault.Invalidf("collection", "%s is not a known collection.", strconv.Quote(slug))
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

// startPosition is the sequence after which a reader starts who requested after; absent is used in place of
// "". Errors: fault.ErrValidation, ErrUnknownSequence, ErrTrimmed.
func (s *Service) startPosition(ctx context.Context, of tenant.ID, after, absent string) (at, newest int64, err error) {
	if after == "" {
		after = absent
	}
	if after != Latest {
		if at, err = strconv.ParseInt(after, 10, 64); err != nil || at < 0 {
			return 0, 0, fault.Invalidf("after", "after must be an event number or %s.", Latest)
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
		return 0, 0, ErrUnknownSequence
	case at > 0 && at < newest:
		if trimmed, err := s.Log.TrimmedThrough(ctx, of); err != nil || at < trimmed {
			return 0, 0, cmp.Or(err, error(ErrTrimmed))
		}
	}
	return at, newest, nil
}
