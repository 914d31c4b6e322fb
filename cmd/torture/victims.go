package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/cmd/torture/wire"
)

// victim is something that chaos hits and brings back.
type victim struct {
	name string
	hit  func(ctx context.Context) error // returns when it runs again
}

// victims lists what may be hit here, by kind. How hard is up to the dice, which are thrown in one order, so that a seed
// gives one schedule.
func (st *stage) victims(dice *rand.Rand, log func(string, ...any)) [][]victim {
	var killed, at, frozen, disturbed []victim
	for i, p := range st.servers {
		name := fmt.Sprintf("server %d", i+1)
		killed = append(killed, victim{"kill " + name, func(ctx context.Context) error {
			p.Kill()
			return within(ctx, p.Start)
		}})
		for _, point := range st.failpoints {
			at = append(at, victim{fmt.Sprintf("kill %s at %s", name, point), func(ctx context.Context) error {
				return st.dieAt(ctx, p, point, 1+dice.IntN(3))
			}})
		}
		frozen = append(frozen, victim{"freeze " + name, func(ctx context.Context) error { return freeze(ctx, p.PID(), hold(dice)) }})
	}
	for _, w := range st.wires {
		disturbed = append(disturbed, victim{"disturb " + w.name, func(ctx context.Context) error { return st.disturb(ctx, w, dice, log) }})
	}
	kinds := [][]victim{killed, at, frozen}
	if st.onPostgres {
		kinds = append(kinds, disturbed, disturbed, st.databases(dice)) // most of what can go wrong does so on the wires
	}
	return kinds
}

// databases are what the servers share.
func (st *stage) databases(dice *rand.Rand) []victim {
	again := func(s *testservers.Server) func(context.Context) error {
		return func(ctx context.Context) error {
			s.Kill()
			return within(ctx, s.Start)
		}
	}
	return []victim{
		{"kill postgres", again(st.postgres)},
		{"kill redis", again(st.redis)},
		{"flush redis", st.flush},
		{"freeze redis", func(ctx context.Context) error { return freeze(ctx, st.redis.PID(), hold(dice)) }},
	}
}

// hold is how long something stays as bad as it is.
func hold(dice *rand.Rand) time.Duration {
	return time.Duration(300+dice.IntN(1700)) * time.Millisecond
}

// freeze stops a process for a while: it wakes up believing that no time has passed.
func freeze(ctx context.Context, pid int, d time.Duration) error {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return err
	}
	wait(ctx, d)
	return syscall.Kill(pid, syscall.SIGCONT)
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// disturb brings a trouble over the connections of a server for a while.
func (st *stage) disturb(ctx context.Context, w lane, dice *rand.Rand, log func(string, ...any)) error {
	trouble, d := wire.Any(dice), hold(dice)
	log("%s: %s for %s", w.name, trouble.Name, d)
	if err := w.Disturb(trouble); err != nil {
		return err
	}
	wait(ctx, d)
	return w.Mend(ctx)
}

// dieAt restarts p so that it kills itself when it passes the point for the nth time, waits for that (or a while: the load
// may not pass there), and brings it back as it was.
func (st *stage) dieAt(ctx context.Context, p *testservers.Program, point string, nth int) error {
	p.Kill()
	env := p.Env
	p.Env = append(slices.Clip(env), fmt.Sprintf("CARTWRIGHT_FAILPOINT=%s:%d", point, nth))
	err := within(ctx, p.Start)
	p.Env = env
	if err != nil && p.Alive() {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	p.Wait(waiting)
	p.Kill()
	return within(ctx, p.Start)
}

// flush empties Redis.
func (st *stage) flush(ctx context.Context) error {
	options, err := redis.ParseURL(st.redis.URL)
	if err != nil {
		return err
	}
	client := redis.NewClient(options)
	return errors.Join(client.FlushAll(ctx).Err(), client.Close())
}
