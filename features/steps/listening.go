package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// listener is a system of the shop's own that is told of changes.
type listener struct {
	server *httptest.Server
	how    func(m message, times int) int // the status it answers a message with, which is the times-th about its record; 0: none at all
	ended  chan struct{}                  // closed with the scenario

	mu    sync.Mutex
	heard []message
}

// message is what a listener was told.
type message struct {
	header http.Header
	raw    []byte
	body   object
}

// record is the id of what the message is about.
func (m message) record() string { return or(text(m.body, "doc", "id"), text(m.body, "data", "id")) }

func (w *world) listeningSteps() []definition {
	return []definition{
		{`^a receiver of changes to (brands|carts)(?: that (.+))?$`, func(ctx context.Context, of, how string) error {
			return w.listen(ctx, how, object{"collections": []any{of}})
		}},
		{`^a receiver of deleted brands$`, func(ctx context.Context) error {
			return w.listen(ctx, "", object{"collections": []any{"brands"}, "operations": []any{"delete"}})
		}},
		{`^the receiver is mended$`, w.mendReceiver},
		{`^the brand "([^"]*)" is added while the receiver is off$`, w.addUnheard},
		{`^the tag "([^"]*)" is added$`, w.addTag},
		{`^a cart is opened in real business, and one among tests$`, w.openBothCarts},
		{`^the shop has the message about "([^"]*)" delivered again$`, w.redeliver},
		{`^the shop has the receiver told again of the message about "([^"]*)"$`, w.replayOne},
		{`^a message failed$`, w.wantFailed},
		{`^every repetition on the published schedule failed$`, w.failThrough},
		{`^the receiver hears of the brand "([^"]*)": "([^"]*)"$`, w.wantHeardOf},
		{`^the receiver heard (\d+) messages? in all$`, w.wantHeard},
		{`^the receiver hears of a cart among tests, and of no other$`, w.wantTestCart},
		{`^the messages hold what the specification names, and nothing else$`, w.wantMembers},
		{`^the messages are numbered by the changes of their record$`, w.wantNumbers},
		{`^the receiver is told that the name "([^"]*)" became "([^"]*)"$`, w.wantToldBefore},
		{`^the messages are signed with the receiver's secret$`, func() error { return w.wantSigned(w.signing) }},
		{`^the messages are signed with the new secret and the old one$`, func() error { return w.wantSigned(w.resigning, w.signing) }},
		{`^the messages are signed with the new secret only$`, func() error { return w.wantSigned(w.resigning) }},
		{`^a repeated message has the number and the text of the first$`, w.wantRepeated},
		{`^the log shows the message about "([^"]*)" as "([^"]*)" after (\d+) attempts?$`, w.wantLog},
		{`^the receiver is switched off because "([^"]*)"$`, w.wantSwitchedOff},
		{`^the receiver is asked once whether it is there$`, w.wantPing},
	}
}

// listen opens a receiver and has it told of what is asked for.
func (w *world) listen(ctx context.Context, how string, asked object) error {
	l := &listener{ended: make(chan struct{})}
	l.server = httptest.NewServer(l)
	w.listeners = append(w.listeners, l)
	if err := l.behave(how); err != nil {
		return err
	}
	asked["url"] = l.server.URL + "/hook"
	if err := w.addReceiver(ctx, asked); err != nil {
		return err
	}
	return w.succeeded()
}

// behave sets how a listener answers.
func (l *listener) behave(how string) error {
	failing, about, _ := strings.Cut(how, " about ")
	about = strings.Trim(about, `"`)
	status := map[string]int{"always fails": http.StatusInternalServerError, "is gone": http.StatusGone, "points elsewhere": http.StatusTemporaryRedirect, "never answers": 0, "": http.StatusOK}
	code, known := status[failing]
	switch {
	case failing == "fails once":
		l.how = func(m message, times int) int {
			if times == 1 && (about == "" || text(m.body, "doc", "name") == about) {
				return http.StatusInternalServerError
			}
			return http.StatusOK
		}
	case known:
		l.how = func(message, int) int { return code }
	default:
		return fmt.Errorf("no receiver is known that %s", how)
	}
	return nil
}

// deafen closes the receivers of a scenario.
func (w *world) deafen() {
	for _, l := range w.listeners {
		close(l.ended)
		l.server.Close()
	}
}

// ServeHTTP implements http.Handler.
func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := message{header: r.Header.Clone()}
	m.raw, _ = io.ReadAll(r.Body)      // what is cut off shows in what is missing
	_ = json.Unmarshal(m.raw, &m.body) // what is no JSON has nothing in it
	l.mu.Lock()
	l.heard = append(l.heard, m)
	times := 0
	for _, other := range l.heard {
		if other.record() == m.record() {
			times++
		}
	}
	status := l.how(m, times)
	l.mu.Unlock()
	if status == 0 {
		<-l.ended
		return
	}
	if status == http.StatusTemporaryRedirect {
		w.Header().Set("Location", l.server.URL+"/elsewhere")
	}
	w.WriteHeader(status)
}

func (l *listener) messages() []message {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.heard)
}

// listener is the one last opened.
func (w *world) listener() *listener { return w.listeners[len(w.listeners)-1] }

func (w *world) mendReceiver() error {
	l := w.listener()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.behave("")
}

// eventually tries until it works out: what is told arrives a moment later.
func eventually(ctx context.Context, check func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, heardOf)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := check(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return err
		}
	}
}

func (w *world) addTag(ctx context.Context, name string) error {
	_, err := w.must(ctx, request{"POST", "/api/tags", object{"name": name}, w.asOwner()})
	return err
}

func (w *world) addUnheard(ctx context.Context, name string) error {
	if err := w.onReceiver(ctx, "PATCH", "", object{"enabled": false}); err != nil {
		return err
	}
	if err := w.makeBrands(ctx, name); err != nil {
		return err
	}
	if err := w.wantLogged(ctx, name, "create"); err != nil {
		return err
	}
	return w.onReceiver(ctx, "PATCH", "", object{"enabled": true})
}

func (w *world) openBothCarts(ctx context.Context) error {
	for _, key := range []string{w.shop.ClientKey, w.shop.TestClientKey} {
		if _, err := w.must(ctx, request{"POST", public + "/carts", object{}, map[string]string{"X-Client-Key": key}}); err != nil {
			return err
		}
	}
	return nil
}

// message is the log's line about a brand: of its first change.
func (w *world) message(ctx context.Context, name string) (object, error) {
	all, err := w.log(ctx)
	for _, line := range all {
		if text(line, "record") == w.records[name] && text(line, "recordSequence") == "1" {
			found, _ := line.(object)
			return found, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("the log does not tell of %q: %v", name, all)
	}
	return nil, err
}

// log is what the log says of the receiver last added, in the order of events.
func (w *world) log(ctx context.Context) ([]any, error) {
	got, err := w.must(ctx, request{"GET", "/api/webhook-deliveries?sort=sequence&where[endpoint][equals]=" + w.receiver, nil, w.asOwner()})
	return list(got.body, "docs"), err
}

func (w *world) redeliver(ctx context.Context, name string) error {
	line, err := w.message(ctx, name)
	if err != nil {
		return err
	}
	return w.try(ctx, request{"POST", "/api/webhook-deliveries/" + text(line, "id") + "/redeliver", nil, keyed(w.asOwner())})
}

func (w *world) replayOne(ctx context.Context, name string) error {
	line, err := w.message(ctx, name)
	if err != nil {
		return err
	}
	return w.onReceiver(ctx, "POST", "/replay", object{"from": text(line, "sequence"), "to": text(line, "sequence")})
}

// schedule is after how long a failed message is repeated, as published; it may take a fifth longer.
var schedule = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour,
}

func (w *world) failThrough(ctx context.Context) error {
	for n, pause := range append(schedule, 0) {
		if err := w.wantAttempts(ctx, n+1); err != nil {
			return err
		}
		w.target.Advance(pause + pause/5 + time.Second)
	}
	return nil
}

func (w *world) wantFailed(ctx context.Context) error { return w.wantAttempts(ctx, 1) }

// wantAttempts waits until the first message in the log was tried so many times.
func (w *world) wantAttempts(ctx context.Context, want int) error {
	return eventually(ctx, func(ctx context.Context) error {
		all, err := w.log(ctx)
		if tried := len(list(any(all), 0, "attempts")); err == nil && tried != want {
			err = fmt.Errorf("it was tried %d times, want %d: %v", tried, want, all)
		}
		return err
	})
}
