package payments

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

const defaultPollInterval = 5 * time.Second

// Poller settles open payments and refunds, and ends what has expired: it recovers what a crash, a lost
// answer or a closed browser window left behind. Any number of instances may run it. Rules payments-43,
// payments-39.
type Poller struct {
	core

	settler   *Settler
	checkouts *checkouts.Service
	refunds   RefundSettler
	interval  time.Duration
	task      *background.Task // of what it does; may be nil
}

// NewPoller makes a poller whose rounds are this interval apart; 0: 5 s. Task, which may be nil, runs what it does.
func NewPoller(
	s *Service, c *checkouts.Service, refunds RefundSettler, interval time.Duration, task *background.Task,
) *Poller {
	if interval <= 0 {
		interval = defaultPollInterval
	}
	return &Poller{core: s.core, settler: s.Settler, checkouts: c, refunds: refunds, interval: interval, task: task}
}

const (
	claimSize    = 8               // tasks that a lane claims at a time: a new one waits for no more than these
	claimLease   = 2 * time.Minute // longer than as many tasks take
	lanesPerList = 1000
	pollOnceSize = 10_000
	adoptEvery   = 10 * time.Minute
	adoptAge     = time.Hour // of the sessions and refunds that are adopted while running; at the start all are
)

// Run polls until ctx ends.
func (p *Poller) Run(ctx context.Context) error {
	work := newLanes(p.task)
	defer work.wait()
	tick := time.NewTicker(p.interval)
	defer tick.Stop()
	var adopted time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if now := p.now(); now.Sub(adopted) >= adoptEvery {
			age := adoptAge
			if adopted.IsZero() {
				age = payment.LookupsEndAfter
			}
			adopted = now
			work.start("adopt", func() { p.adopt(ctx, systemScope, now.Add(-age)) })
		}
		work.start("checkouts", func() { p.expireCheckouts(ctx, systemScope) })
		p.startDueLanes(ctx, systemScope, work)
	}
}

// PollDue does once what Run repeats, for what is due of the scope.
func (p *Poller) PollDue(ctx context.Context, scope ports.Scope) {
	work := newLanes(p.task)
	p.startDueLanes(ctx, scope, work)
	work.wait()
	p.expireCheckouts(ctx, scope)
}

var systemScope = ports.Scope{System: true}

// startDueLanes starts the work on every lane that has a due task, each by itself: a provider that hangs delays
// no other lane, not even the next round.
func (p *Poller) startDueLanes(ctx context.Context, scope ports.Scope, work *lanes) {
	for after := ""; ; {
		due, err := p.tasks.DueLanes(ctx, scope, after, p.now(), lanesPerList)
		if err != nil {
			p.warn(ctx, "due payments could not be listed; will retry", "error", err)
			return
		}
		for _, lane := range due {
			work.start(lane, func() { p.runLane(ctx, scope, lane) })
		}
		if len(due) < lanesPerList {
			return
		}
		after = due[len(due)-1]
	}
}

// runLane claims and runs the due tasks of a lane while there are any and its provider can be reached.
func (p *Poller) runLane(ctx context.Context, scope ports.Scope, lane string) {
	round := &laneRound{run: p.runTask}
	for more := true; more && ctx.Err() == nil; {
		now := p.now()
		claimed, err := p.tasks.Claim(ctx, scope, lane, now, now.Add(claimLease), claimSize)
		if err != nil {
			p.warn(ctx, "due payments could not be claimed; will retry", "lane", lane, "error", err)
			return
		}
		more = round.work(ctx, claimed) && len(claimed) == claimSize
	}
}

// PollOnce does once what Run repeats, for every open payment and refund of the scope, at most pollOnceSize of a
// lane, whether or not it is due.
func (p *Poller) PollOnce(ctx context.Context, scope ports.Scope) {
	p.adopt(ctx, scope, time.Time{})
	ever := p.now().AddDate(100, 0, 0)
	found, err := p.tasks.DueLanes(ctx, scope, "", ever, lanesPerList)
	if err != nil {
		p.warn(ctx, "due payments could not be listed", "error", err)
	}
	work := newLanes(p.task)
	for _, lane := range found {
		claimed, err := p.tasks.Claim(ctx, scope, lane, ever, ever.AddDate(1, 0, 0), pollOnceSize)
		if err != nil {
			p.warn(ctx, "due payments could not be claimed", "lane", lane, "error", err)
		}
		work.start(lane, func() { (&laneRound{run: p.runTask}).work(ctx, claimed) })
	}
	work.wait()
	p.expireCheckouts(ctx, scope)
}

// warn logs a failure that is not the end of ctx.
func (p *Poller) warn(ctx context.Context, message string, args ...any) {
	if ctx.Err() == nil {
		p.log.WarnContext(ctx, message, args...)
	}
}
