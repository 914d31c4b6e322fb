package wire_test

import (
	"bufio"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/cmd/torture/wire"
)

// echo answers every line with itself, and reports the lines it received.
func echo(t *testing.T) (addr string, received <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	lines := make(chan string, 100)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for line, err := in.ReadString('\n'); err == nil; line, err = in.ReadString('\n') {
					lines <- line
					_, _ = io.WriteString(conn, line) // broken connections are expected
				}
			}()
		}
	}()
	return l.Addr().String(), lines
}

func dial(t *testing.T, w *wire.Proxy) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", w.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// say sends a line and reads the answer, within patience.
func say(conn net.Conn, line string, patience time.Duration) (string, error) {
	if _, err := io.WriteString(conn, line+"\n"); err != nil {
		return "", err
	}
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return "", err
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	return strings.TrimSuffix(answer, "\n"), err
}

const (
	long  = 10 * time.Second // something comes
	short = 300 * time.Millisecond
)

func TestEveryFaultTakesEffectAndIsRepaired(t *testing.T) {
	t.Parallel()
	silent := func(_ string, err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }
	broken := func(_ string, err error) bool { return err != nil && !errors.Is(err, os.ErrDeadlineExceeded) }
	whole := func(answer string, err error) bool { return err == nil && len(answer) == 30_000 }
	want := map[string]struct {
		seen     func(string, error) bool
		patience time.Duration
	}{
		"cut": {broken, long}, "slow by": {whole, long}, "narrowed to": {whole, long}, "sliced into": {whole, long},
		"without answers": {silent, short}, "without requests": {silent, short},
		"silent": {silent, short}, "silent, then broken": {broken, long}, "reset after": {broken, long}, "broken after": {broken, long},
	}
	for _, trouble := range wire.AllFaults(rand.New(rand.NewPCG(1, 1))) {
		t.Run(trouble.Name, func(t *testing.T) {
			t.Parallel()
			addr, _ := echo(t)
			w, err := wire.Start(addr)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(w.Cut)
			conn := dial(t, w)
			if answer, err := say(conn, "hello", long); answer != "hello" {
				t.Fatal(answer, err)
			}
			if err := w.Disturb(trouble); err != nil {
				t.Fatal(err)
			}
			kind := ""
			for name := range want {
				if strings.HasPrefix(trouble.Name, name) && len(name) > len(kind) {
					kind = name
				}
			}
			if answer, err := say(conn, strings.Repeat("x", 30_000), want[kind].patience); kind == "" || !want[kind].seen(answer, err) {
				t.Errorf("%d bytes, %v", len(answer), err)
			}
			if err := w.Repair(t.Context()); err != nil {
				t.Fatal(err)
			}
			if answer, err := say(dial(t, w), "again", long); answer != "again" {
				t.Error("the wire did not recover:", answer, err)
			}
		})
	}
}

// A request whose answer is lost was received: so a change can take effect without its client knowing.
func TestRequestsArriveWhenAnswersAreLost(t *testing.T) {
	t.Parallel()
	for _, trouble := range wire.AllFaults(rand.New(rand.NewPCG(1, 1))) {
		if trouble.Name != "without answers" && trouble.Name != "without requests" {
			continue
		}
		addr, received := echo(t)
		w, err := wire.Start(addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Cut)
		conn := dial(t, w)
		if err := w.Disturb(trouble); err != nil {
			t.Fatal(err)
		}
		_, _ = say(conn, "change", short) // no answer
		if got := len(received) == 1; got != (trouble.Name == "without answers") {
			t.Errorf("%s: received: %v", trouble.Name, got)
		}
	}
}

func TestCutProxyRefusesConnections(t *testing.T) {
	t.Parallel()
	addr, _ := echo(t)
	w, err := wire.Start(addr)
	if err != nil {
		t.Fatal(err)
	}
	w.Cut()
	if _, err := net.Dial("tcp", w.Addr); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Error(err)
	}
	if url := w.Rewrite("redis://" + addr + "/3"); url != "redis://"+w.Addr+"/3" {
		t.Error(url)
	}
}
