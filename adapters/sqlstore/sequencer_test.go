package sqlstore_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

const (
	writers = 8
	changes = 40
)

// Every event gets one number, without gaps; who has read up to n never meets a number ≤ n later; a record's
// events keep their order. Two sequencers compete throughout.
func TestEventsAreNumberedOnceAndInOrder(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			registry := portstest.ScratchRegistry()
			o := options(t)
			s := open(t, o, registry)
			sequencing(t, s)
			if o.URL != "" {
				sequencing(t, open(t, o, registry))
			}
			var all sync.WaitGroup
			for _, of := range []tenant.ID{"a", "b"} {
				for w := range writers {
					all.Go(func() { grow(t, s, of, registry.Get("makers"), fmt.Sprint(of, w)) })
				}
			}
			for _, of := range []tenant.ID{"a", "b"} {
				follow(t, s, of)
			}
			all.Wait()
		})
	}
}

func sequencing(t *testing.T, s *sqlstore.Store) {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.RunSequencer(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// grow changes one record again and again.
func grow(t *testing.T, s *sqlstore.Store, of tenant.ID, c *collection.Schema, id string) {
	var before collection.Record
	for i := range changes {
		after := collection.Record{"id": id, "tenant": string(of), "name": fmt.Sprint(i)}
		if err := write(t.Context(), s, ports.ForTenant(of), c, before, after, fmt.Sprint(id, "-", i)); err != nil {
			t.Error(err)
			return
		}
		before = after
	}
}

// follow reads the log as it grows, from the last number on, until everything is there.
func follow(t *testing.T, s *sqlstore.Store, of tenant.ID) {
	last, records := int64(0), map[string]int64{}
	for last < writers*changes && !t.Failed() {
		log, err := s.Log(t.Context(), ports.ForTenant(of), last)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range log {
			if e.Sequence != last+1 {
				t.Fatalf("number %d follows %d", e.Sequence, last)
			}
			if e.RecordSequence != records[e.Record]+1 {
				t.Fatalf("change %d of %s follows change %d", e.RecordSequence, e.Record, records[e.Record])
			}
			last, records[e.Record] = e.Sequence, e.RecordSequence
		}
	}
}
