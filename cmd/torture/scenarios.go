package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

// scenario is a rare case that is prepared on purpose, beside the load test, and ends with a check of its own.
type scenario struct {
	name   string
	setups []configuration // go test plays it on the first one only
	// few and many say how much there is of what the scenario is about, in go test and in make torture. One with 0 is not
	// played in go test: it waits for minutes of the servers' own schedules, however busy the machine is.
	few, many int
	play      func(ctx context.Context, s stage) (figures string, err error)
}

// stage is where a scenario is played.
type stage struct {
	*testbed

	size int // few or many
	dice *rand.Rand
	log  func(format string, args ...any)
}

// scenarioTime bounds a scenario on one configuration.
const scenarioTime = 30 * time.Minute

var scenarios = []scenario{
	{name: "sessions", setups: []configuration{onPostgres, onSQLite}, few: 12, many: 300, play: playThreeSessions},
	{name: "abandoned", setups: []configuration{onPostgres, onSQLite}, few: 200, many: 20_000, play: playAbandoned},
	{name: "backlog", setups: []configuration{onPostgres}, few: 2000, many: 1_000_000, play: playBacklog},
	{name: "promotion", setups: []configuration{onPostgres}, few: 4, many: 200, play: playPromotion},
	{name: "poison", setups: []configuration{onPostgres, onSQLite}, few: 0, many: 6, play: playPoison},
}

// The configurations of scenarios: those of the load test with mailboxes.
var onSQLite, onPostgres = setups[0], setups[1]

// run plays the scenario on one configuration.
func (sc scenario) run(ctx context.Context, s configuration, seed uint64, size int, log func(string, ...any)) (figures string, err error) {
	ctx, cancel := context.WithTimeout(ctx, scenarioTime)
	defer cancel()
	err = onTestbed(ctx, s, func(st *testbed) error {
		figures, err = sc.play(ctx, stage{testbed: st, size: size, dice: rand.New(rand.NewPCG(seed, 1)), log: log})
		return err
	})
	return figures, err
}

// onTestbed calls work with a testbed that exists meanwhile. An error comes with what the servers printed last.
func onTestbed(ctx context.Context, s configuration, work func(st *testbed) error) (err error) {
	if s.dir, err = os.MkdirTemp("", "cartwright-torture-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(s.dir)) }()
	st, err := startTestbed(ctx, s)
	if err != nil {
		return err
	}
	defer func() {
		if e := st.stop(); err == nil {
			err = e
		}
	}()
	if err = work(st); err != nil {
		for _, p := range st.servers {
			err = fmt.Errorf("%w\n%s", err, tail(p.Output()))
		}
	}
	return err
}

func tail(text string) string { return text[max(0, len(text)-2000):] }
