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

// fault is a fault that chaos injects and ends.
type fault struct {
	name   string
	inject func(ctx context.Context) error // returns when everything runs again
}

// faults lists the possible faults, by kind. Their parameters are random, drawn in one order, so that a seed
// gives one schedule.
func (st *testbed) faults(dice *rand.Rand, log func(string, ...any)) [][]fault {
	var frozen, disturbed []fault
	for i, p := range st.servers {
		frozen = append(frozen, fault{
			fmt.Sprintf("freeze server %d", i+1), func(ctx context.Context) error { return freeze(ctx, p.PID(), faultDuration(dice)) },
		})
	}
	for _, w := range st.proxies {
		disturbed = append(disturbed, fault{
			"disturb " + w.name, func(ctx context.Context) error { return st.disturbProxy(ctx, w, dice, log) },
		})
	}
	kinds := append(st.kills(dice), frozen)
	if st.onPostgres {
		kinds = append(kinds, disturbed, disturbed, st.databaseFaults(dice)) // most faults are faults of connections
	}
	return kinds
}

// kills are the faults that end a server: at random moments, and at failpoints.
func (st *testbed) kills(dice *rand.Rand) [][]fault {
	var killed, at []fault
	for i, p := range st.servers {
		name := fmt.Sprintf("server %d", i+1)
		killed = append(killed, fault{"kill " + name, func(ctx context.Context) error {
			p.Kill()
			return within(ctx, p.Start)
		}})
		for _, point := range st.failpoints {
			at = append(at, fault{fmt.Sprintf("kill %s at %s", name, point), func(ctx context.Context) error {
				return st.killAtFailpoint(ctx, p, point, 1+dice.IntN(3))
			}})
		}
	}
	return [][]fault{killed, at}
}

// chaos injects one fault after the other until end: every kind in turn, and a random one of each kind. It counts
// them by name.
func chaos(ctx context.Context, dice *rand.Rand, kinds [][]fault, end <-chan time.Time, log func(string, ...any)) (map[string]int, error) {
	done := map[string]int{}
	dice.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	for turn := 0; ; turn++ {
		pause := time.After(time.Duration(150+dice.IntN(600)) * time.Millisecond)
		select {
		case <-ctx.Done():
			return done, ctx.Err()
		case <-end:
			return done, nil
		case <-pause:
		}
		kind := kinds[turn%len(kinds)]
		f := kind[dice.IntN(len(kind))]
		log("%s", f.name)
		done[f.name]++
		if err := f.inject(ctx); err != nil {
			return done, fmt.Errorf("%s and recover: %w", f.name, err)
		}
	}
}

// databaseFaults are the faults of shared servers.
func (st *testbed) databaseFaults(dice *rand.Rand) []fault {
	restart := func(s *testservers.Server) func(context.Context) error {
		return func(ctx context.Context) error {
			s.Kill()
			return within(ctx, s.Start)
		}
	}
	return []fault{
		{"kill postgres", restart(st.postgres)},
		{"kill redis", restart(st.redis)},
		{"flush redis", st.flush},
		{"freeze redis", func(ctx context.Context) error { return freeze(ctx, st.redis.PID(), faultDuration(dice)) }},
	}
}

// faultDuration is how long a fault lasts.
func faultDuration(dice *rand.Rand) time.Duration {
	return time.Duration(300+dice.IntN(1700)) * time.Millisecond
}

// freeze pauses a process for a while: it continues as if no time had passed.
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

// disturbProxy disturbs the connections of a server for a while.
func (st *testbed) disturbProxy(ctx context.Context, w serverProxy, dice *rand.Rand, log func(string, ...any)) error {
	trouble, d := wire.RandomFault(dice), faultDuration(dice)
	log("%s: %s for %s", w.name, trouble.Name, d)
	if err := w.Disturb(trouble); err != nil {
		return err
	}
	wait(ctx, d)
	return w.Repair(ctx)
}

// killAtFailpoint restarts p with a failpoint at which it kills itself the nth time, waits for that (or a
// while: the load may not reach it), and restarts it normally.
func (st *testbed) killAtFailpoint(ctx context.Context, p *testservers.Process, point string, nth int) error {
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
func (st *testbed) flush(ctx context.Context) error {
	options, err := redis.ParseURL(st.redis.URL)
	if err != nil {
		return err
	}
	client := redis.NewClient(options)
	return errors.Join(client.FlushAll(ctx).Err(), client.Close())
}
