package program

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/team"
)

// newTeller builds what tells the teams of all shops what happens in them.
func (s *Server) newTeller() *team.Teller {
	return &team.Teller{
		Store: s.invalidatingStore, Events: s.store.EventLog(), Places: s.store.NoticePlaces(), Now: s.now, NewID: newID, Log: s.log,
		Task: s.background.Task("notices"), Numbered: s.store.EventsNumbered().Listen(),
	}
}

// forgetNotices deletes notifications that were seen long ago.
func (s *Server) forgetNotices() func(context.Context) (more bool) {
	f := &team.Forgetter{Store: s.invalidatingStore, Now: s.now, NewID: newID, Task: s.background.Task("seen notices")}
	return func(ctx context.Context) (more bool) {
		more, err := f.RunRound(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("notifications that were seen could not be deleted; will retry", "error", err)
		}
		return more
	}
}
