package delivering_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// meddled is a log while which is read something happens, once.
type meddled struct {
	ports.EventLog

	when string
	once *sync.Once
	what func()
}

func (m meddled) at(moment string) {
	if m.when == moment {
		m.once.Do(m.what)
	}
}

func (m meddled) Newest(ctx context.Context, ids []tenant.ID) (map[tenant.ID]int64, error) {
	m.at("before the newest number is read")
	defer m.at("after the newest number was read")
	return m.EventLog.Newest(ctx, ids)
}

func (m meddled) Events(ctx context.Context, q ports.EventQuery) (ports.EventPage, error) {
	m.at("before a page is read")
	defer m.at("after a page was read")
	return m.EventLog.Events(ctx, q)
}

// change writes an endpoint anew.
func (b *bed) change(id string, how func(r map[string]any)) {
	b.t.Helper()
	before := b.view().Get(webhook.Endpoints, id)
	after := before.Clone()
	how(after)
	b.write(webhook.Endpoints, before, after)
}

// R45: whoever is made, switched on or widened while the log is decided hears of what happens next, once.
func TestAnEndpointMissesNothingOfWhatHappensAfterItWasMade(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		ways := map[string]func(id string) string{
			"made":    func(string) string { return b.endpoint("late", "brands") },
			"enabled": func(id string) string { b.change(id, b.switched(true)); return id },
			"widened": func(id string) string {
				b.change(id, func(r map[string]any) { r["collections"] = []string{"pages", "brands"} })
				return id
			},
		}
		b.endpoint("witness", "brands")
		for _, when := range []string{"before the newest number is read", "after the newest number was read", "before a page is read", "after a page was read"} {
			for way, does := range ways {
				for _, another := range []bool{false, true} {
					id := ""
					if way != "made" {
						id = b.endpoint("late", map[string]string{"enabled": "brands", "widened": "pages"}[way])
					}
					if way == "enabled" {
						b.change(id, b.switched(false))
					}
					b.create("before")
					b.round()
					b.create("waits")
					b.number()
					b.net.at(url("late"))
					server := b.instance(b.net)
					server.Events = meddled{server.Events, when, &sync.Once{}, func() {
						id = does(id)
						b.create("after")
						if b.number(); another { // instance is faster
							b.round()
						}
					}}
					for range 2 {
						if err := server.Round(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
					got := slices.DeleteFunc(names(b.net.at(url("late"))), func(name string) bool { return name == "waits" })
					if !slices.Equal(got, []string{"after"}) {
						t.Errorf("%s %s, another instance %t: it heard of %v", way, when, another, got)
					}
					b.change(id, b.switched(false))
				}
			}
		}
	})
}

// switched puts an endpoint on or off, as an operator does.
func (b *bed) switched(on bool) func(r map[string]any) {
	b.t.Helper()
	newest, err := b.store.EventLog().Newest(b.t.Context(), []tenant.ID{b.shop})
	if err != nil {
		b.t.Fatal(err)
	}
	return func(r map[string]any) { webhook.Switched(r, on, webhook.ByOperator, newest[b.shop], b.now()) }
}
