package eventlog

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// NotifyChannel is where Postgres notifies of events: the payload is the id of the sequencer that has numbered some, or
// eventsWait.
const NotifyChannel = "cartwright_events"

// eventsWait is sent by a process that ends and leaves events without numbers.
const eventsWait = "wait"

// farewellTimeout is how long a process that ends tries to tell others of its events.
const farewellTimeout = time.Second

// Hear takes a notification of NotifyChannel. Its own are no news.
func (s *Sequencer) Hear(payload string) {
	switch payload {
	case s.id:
	case eventsWait:
		s.wake.Send()
	default:
		s.Numbered.Send()
	}
}

// HearMissed says that notifications may have been missed.
func (s *Sequencer) HearMissed() {
	if s.db.Dialect.Postgres {
		s.wake.Send()
	}
	s.Numbered.Send()
}

// tellNumbered tells this process; the others are told by the transaction.
func (s *Sequencer) tellNumbered(numbered int64) {
	if numbered > 0 {
		s.Numbered.Send()
	}
}

// Close tells the other instances of events that this process has committed and not numbered, as commands do that run
// no sequencer. If it cannot, they are found a few seconds later.
func (s *Sequencer) Close() {
	select {
	case <-s.woken:
	default:
		return
	}
	if !s.db.Dialect.Postgres {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), farewellTimeout)
	defer cancel()
	err := s.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		var told int64
		_, err := db.QueryRow(ctx, on, []any{&told}, "SELECT count(pg_notify($1::text, $2::text))", NotifyChannel, eventsWait)
		return err
	})
	if err != nil {
		s.logger.Debug("other instances could not be told of events", "error", err.Error())
	}
}
