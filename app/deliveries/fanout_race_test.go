package deliveries_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// interruptedLog is an event log that runs a function once while it is being read.
type interruptedLog struct {
	ports.EventLog

	when string
	once *sync.Once
	what func()
}

func (m interruptedLog) interrupt(moment string) {
	if m.when == moment {
		m.once.Do(m.what)
	}
}

func (m interruptedLog) Newest(ctx context.Context, ids []tenant.ID) (map[tenant.ID]int64, error) {
	m.interrupt("before the newest number is read")
	defer m.interrupt("after the newest number was read")
	return m.EventLog.Newest(ctx, ids)
}

func (m interruptedLog) Events(ctx context.Context, q ports.EventQuery) (ports.EventPage, error) {
	m.interrupt("before a page is read")
	defer m.interrupt("after a page was read")
	return m.EventLog.Events(ctx, q)
}

// change updates an endpoint.
func (b *bed) change(id string, how func(r map[string]any)) {
	b.t.Helper()
	before := b.view().Get(webhook.Endpoints, id)
	after := before.Clone()
	how(after)
	b.write(webhook.Endpoints, before, after)
}

// An endpoint created, enabled or widened during a fan-out receives the events after that, once.
func TestNewEndpointMissesNoLaterEvent(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ways := map[string]func(id string) string{
			"made":    func(string) string { return b.endpoint("late", "brands") },
			"enabled": func(id string) string { b.change(id, b.setEnabled(true)); return id },
			"widened": func(id string) string {
				b.change(id, func(r map[string]any) { r["collections"] = []string{"pages", "brands"} })
				return id
			},
		}
		b.endpoint("witness", "brands")
		for _, when := range []string{
			"before the newest number is read", "after the newest number was read", "before a page is read", "after a page was read",
		} {
			for way, does := range ways {
				for _, another := range []bool{false, true} {
					id := ""
					if way != "made" {
						id = b.endpoint("late", map[string]string{"enabled": "brands", "widened": "pages"}[way])
					}
					if way == "enabled" {
						b.change(id, b.setEnabled(false))
					}
					b.create("before")
					b.round()
					b.create("waits")
					b.sequenceEvents()
					b.net.receivedAt(url("late"))
					server := b.instance(b.net)
					server.Events = interruptedLog{server.Events, when, &sync.Once{}, func() {
						id = does(id)
						b.create("after")
						if b.sequenceEvents(); another { // instance is faster
							b.round()
						}
					}}
					for range 2 {
						if err := server.RunOnce(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
					got := slices.DeleteFunc(names(b.net.receivedAt(url("late"))), func(name string) bool { return name == "waits" })
					if !slices.Equal(got, []string{"after"}) {
						t.Errorf("%s %s, another instance %t: it got %v", way, when, another, got)
					}
					b.change(id, b.setEnabled(false))
				}
			}
		}
	})
}

// setEnabled enables or disables an endpoint, as an operator does.
func (b *bed) setEnabled(on bool) func(r map[string]any) {
	b.t.Helper()
	newest, err := b.store.EventLog().Newest(b.t.Context(), []tenant.ID{b.shop})
	if err != nil {
		b.t.Fatal(err)
	}
	return func(r map[string]any) { webhook.SetEnabled(r, on, webhook.DisabledByOperator, newest[b.shop], b.now()) }
}
