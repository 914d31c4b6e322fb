//go:build linux || darwin

package webhook_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

const noFiles = "CARTWRIGHT_TEST_WITHOUT_FILES"

// A process without free file descriptors reports the request as not sent. It runs as a process of its own,
// since it can do nothing else.
func TestFileLimitReportsNotSent(t *testing.T) {
	t.Parallel()
	if os.Getenv(noFiles) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFileLimitReportsNotSent$")
		cmd.Env = append(os.Environ(), noFiles+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	sender := webhook.NewSender(webhook.Options{AllowPrivate: true})
	// the runtime opens what it needs for connections with the first one
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err != nil || l.Close() != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 0, Max: 0}); err != nil {
		t.Fatal(err)
	}
	if got := sender.Send(t.Context(), ports.WebhookRequest{URL: "http://127.0.0.1:1/"}); !got.NotSent || got.Failure != "" ||
		got.Excerpt == "" {
		t.Errorf("answer %+v", got)
	}
	if n := webhook.MaxConcurrentRequests(); n != 512 && n != 1 {
		t.Errorf("room for %d requests", n)
	}
}

func TestFileLimitDuringLookupReportsNotSent(t *testing.T) {
	t.Parallel()
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "udp", Err: os.NewSyscallError("socket", syscall.EMFILE)}
	}}
	got := webhook.NewSender(webhook.Options{Resolver: resolver}).Send(t.Context(), ports.WebhookRequest{URL: "https://shop.example./"})
	if !got.NotSent || got.Failure != "" {
		t.Errorf("answer %+v", got)
	}
	if n := webhook.MaxConcurrentRequests(); n < 1 || n > 512 {
		t.Errorf("room for %d requests", n)
	}
}
