package eventlog_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/eventlog"
)

// listen returns what the next notification says that anybody sends on the database of q.
func (q *queue) listen() (next func() string) {
	q.t.Helper()
	conn, err := pgx.Connect(q.t.Context(), q.url)
	if err != nil {
		q.t.Fatal(err)
	}
	q.t.Cleanup(func() { _ = conn.Close(q.t.Context()) })
	if _, err := conn.Exec(q.t.Context(), "LISTEN "+eventlog.NotifyChannel); err != nil {
		q.t.Fatal(err)
	}
	return func() string {
		q.t.Helper()
		n, err := conn.WaitForNotification(q.t.Context())
		if err != nil {
			q.t.Fatal(err)
		}
		return n.Payload
	}
}

// A command commits events and runs no sequencer: it tells those of the servers when it ends.
func TestProcessThatEndsTellsOthersOfItsEvents(t *testing.T) {
	t.Parallel()
	q := openQueue(t)
	next := q.listen()
	q.sequencer.Close() // it has committed none
	q.exec(q, "SELECT pg_notify($1, 'after')", eventlog.NotifyChannel)
	q.sequencer.Wake()
	q.sequencer.Close()
	if first, second := next(), next(); first != "after" || second != eventlog.EventsWait {
		t.Errorf("heard %q and %q", first, second)
	}
}

func TestRoundTellsAllThatItNumberedEvents(t *testing.T) {
	t.Parallel()
	q := openQueue(t)
	next := q.listen()
	here := q.sequencer.Numbered.Listen()
	q.round() // of nothing
	q.exec(q, "SELECT pg_notify($1, 'after')", eventlog.NotifyChannel)
	q.exec(q, appendEvents+"VALUES ('a', 'notes', '{r}', '{1}')")
	q.round()
	if first, second := next(), next(); first != "after" || second != q.sequencer.ID() {
		t.Errorf("heard %q and %q", first, second)
	}
	<-here
}

func TestSequencerHears(t *testing.T) {
	t.Parallel()
	q := openQueue(t)
	numbered := q.sequencer.Numbered.Listen()
	for _, c := range []struct {
		what         string
		hear         func()
		wakes, tells bool
	}{
		{"that events wait", func() { q.sequencer.Hear(eventlog.EventsWait) }, true, false},
		{"of its own round", func() { q.sequencer.Hear(q.sequencer.ID()) }, false, false},
		{"of another round", func() { q.sequencer.Hear("another") }, false, true},
		{"that it may have missed something", q.sequencer.HearMissed, true, true},
	} {
		c.hear()
		told := false
		select {
		case <-numbered:
			told = true
		default:
		}
		if woken := q.sequencer.Woken(); woken != c.wakes || told != c.tells {
			t.Errorf("hearing %s, it was woken: %t, and told of it: %t", c.what, woken, told)
		}
	}
}
