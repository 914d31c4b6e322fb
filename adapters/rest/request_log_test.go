package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/trace"
)

// lines decodes a log of JSON lines.
func lines(t *testing.T, log string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(log) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, one)
	}
	return all
}

const (
	traceID = "0af7651916cd43dd8448eb211c80319c"
	parent  = "00-" + traceID + "-b7ad6b7169203331-01"
)

func TestEveryLogLineNamesItsRequest(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	logger := slog.New(WithRequestAttrs(slog.NewJSONHandler(&log, nil)))
	app := New(Options{
		Log: logger, Access: secretKey, NewID: func() string { return "made-id" }, Now: func() time.Time { return time.Unix(0, 0) },
		Areas: []Area{echo, routes(func(r fiber.Router) {
			r.Get("/logged/:token", func(c *fiber.Ctx) error {
				logger.WarnContext(c.UserContext(), "from a use case")
				return c.SendStatus(fiber.StatusNoContent)
			})
		})},
	})
	request(t, app, "GET", "/api/logged/vfy_capability?token=rst_capability", "", "Traceparent", parent, "X-Request-Id", "mine-1")
	request(t, app, "GET", "/api/panic", "", "Traceparent", parent)
	request(t, app, "POST", "/api/things", `{"a": 1}`)
	request(t, app, "GET", "/api/no/such/address", "")
	all := lines(t, log.String())
	want := []struct{ msg, level, requestID, trace, route string }{
		{"from a use case", "WARN", "mine-1", traceID, ""},
		{"request", "INFO", "mine-1", traceID, "/api/logged/:token"},
		{"request failed", "ERROR", "made-id", traceID, "/api/panic"},
		{"request", "INFO", "made-id", traceID, "/api/panic"},
		{"request", "INFO", "made-id", "", "/api/things"},
		{"request", "INFO", "made-id", "", Unmatched},
	}
	if len(all) != len(want) {
		t.Fatalf("%d lines:\n%s", len(all), log.String())
	}
	text := func(one map[string]any, name string) string {
		s, _ := one[name].(string)
		return s
	}
	for i, w := range want {
		one := all[i]
		if text(one, "msg") != w.msg || text(one, "level") != w.level || text(one, "requestId") != w.requestID ||
			text(one, "tenant") != "t1" || text(one, "traceId") != w.trace || text(one, "route") != w.route {
			t.Errorf("line %d is %v, want %+v", i+1, one, w)
		}
		if _, timed := one["ms"].(float64); w.msg == "request" && (!timed || one["status"] == nil || one["method"] == nil) {
			t.Errorf("line %d: %v", i+1, one)
		}
	}
	if strings.Contains(log.String(), "capability") {
		t.Errorf("a capability from a URL is in the log:\n%s", log.String())
	}
	if n := strings.Count(log.String(), `"requestId"`); n != len(want) {
		t.Errorf("%d request ids in %d lines", n, len(want))
	}
}

// A line with its own requestId has no second one, and a line without a request has the trace of its span.
func TestLogLineHasRequestAttrsOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	l := slog.New(WithRequestAttrs(WithRequestAttrs(slog.NewJSONHandler(&log, nil))))
	ctx := context.WithValue(t.Context(), requestInfoKey{}, &requestInfo{id: "ours", trace: "named"})
	l.With("a", 1).InfoContext(ctx, "one", "requestId", "its own")
	id, _ := trace.TraceIDFromHex(traceID)
	span, _ := trace.SpanIDFromHex("b7ad6b7169203331")
	traced := trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: span}))
	l.WithGroup("g").InfoContext(traced, "two")
	l.InfoContext(trace.ContextWithSpanContext(t.Context(), trace.SpanContextFromContext(traced)), "three")
	l.Info("four")
	for i, want := range []string{
		`"requestId":"its own","traceId":"named"}`, `"traceId":"` + traceID, `"msg":"three","traceId":"` + traceID + `"}`, `"msg":"four"}`,
	} {
		line := strings.Split(log.String(), "\n")[i]
		if !strings.Contains(line, want) || strings.Count(line, "requestId") > 1 {
			t.Errorf("%s, want …%s…", line, want)
		}
	}
}

func TestTraceIDOfTraceparent(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		parent: traceID, parent + "-more": traceID, "cc" + parent[2:]: traceID,
		"": "", "ff" + parent[2:]: "", strings.ToUpper(parent): "", parent[:len(parent)-3]: "",
		"00-" + strings.Repeat("0", 32) + "-b7ad6b7169203331-01": "", "00-" + traceID + "-0000000000000000-01": "",
		"00-" + traceID + "x-b7ad6b7169203331-01": "", "rst_capability": "",
	} {
		if got := traceIDOf(given); got != want {
			t.Errorf("%q gives %q", given, got)
		}
	}
}
