package steps

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// about are the messages about a record, as they arrived.
func (l *listener) about(record string) (some []message) {
	for _, m := range l.messages() {
		if m.record() == record {
			some = append(some, m)
		}
	}
	return some
}

// wantHeardOf waits until the receiver last opened was told these operations of a brand, in this order.
func (w *world) wantHeardOf(ctx context.Context, name, operations string) error {
	return eventually(ctx, func(context.Context) error {
		var heard []string
		for _, m := range w.listener().about(w.records[name]) {
			heard = append(heard, text(m.body, "operation"))
		}
		if got := strings.Join(heard, ", "); got != operations {
			return fmt.Errorf("it heard %q", got)
		}
		return nil
	})
}

func (w *world) wantHeard(_ context.Context, want int) error {
	if got := len(w.listener().messages()); got != want {
		return fmt.Errorf("it heard %d messages", got)
	}
	return nil
}

func (w *world) wantTestCart(ctx context.Context) error {
	return eventually(ctx, func(context.Context) error {
		heard := w.listener().messages()
		if len(heard) != 1 || text(heard[0].body, "doc", "environment") != "test" {
			return fmt.Errorf("it heard %d messages, %v", len(heard), heard)
		}
		return nil
	})
}

// wantMembers holds the messages against spec 6.
func (w *world) wantMembers() error {
	members := map[string][]string{
		"create": {"collection", "data", "doc", "operation"},
		"update": {"collection", "data", "doc", "operation", "previousDoc"},
		"delete": {"collection", "data", "operation"},
	}
	for _, m := range w.listener().messages() {
		if got := slices.Sorted(maps.Keys(m.body)); !slices.Equal(got, members[text(m.body, "operation")]) || text(m.body, "collection") != "brands" {
			return fmt.Errorf("a message holds %q: %s", got, m.raw)
		}
	}
	return nil
}

func (w *world) wantNumbers() error {
	for i, m := range w.listener().messages() {
		if got := m.header.Get("Webhook-Sequence"); got != strconv.Itoa(i+1) {
			return fmt.Errorf("message %d has the number %q", i+1, got)
		}
	}
	return nil
}

func (w *world) wantToldBefore(ctx context.Context, before, after string) error {
	return eventually(ctx, func(context.Context) error {
		for _, m := range w.listener().messages() {
			data, _ := dig(m.body, "data").(object)
			if len(data) == 1 && text(data, "name") == after && text(m.body, "doc", "name") == after && text(m.body, "previousDoc", "name") == before {
				return nil
			}
		}
		return errors.New("nothing it heard says so")
	})
}

// wantSigned checks signatures by Standard Webhooks: one by each secret, in this order.
func (w *world) wantSigned(secrets ...string) error {
	heard := w.listener().messages()
	for _, m := range heard {
		var want []string
		for _, secret := range secrets {
			key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
			if err != nil {
				return err
			}
			mac := hmac.New(sha256.New, key)
			_, _ = fmt.Fprintf(mac, "%s.%s.%s", m.header.Get("Webhook-Id"), m.header.Get("Webhook-Timestamp"), m.raw) // a hash takes everything
			want = append(want, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		}
		if got := m.header.Get("Webhook-Signature"); got != strings.Join(want, " ") {
			return fmt.Errorf("a message is signed %q, want %q", got, want)
		}
	}
	if len(heard) == 0 {
		return errors.New("it heard nothing")
	}
	return nil
}

// wantRepeated: whoever knows a message by its number need not look at it again.
func (w *world) wantRepeated() error {
	first := map[string]message{} // by record and operation
	repeated := 0
	for _, m := range w.listener().messages() {
		of := m.record() + text(m.body, "operation")
		before, known := first[of]
		if !known {
			first[of] = m
			continue
		}
		repeated++
		if before.header.Get("Webhook-Id") != m.header.Get("Webhook-Id") || !bytes.Equal(before.raw, m.raw) {
			return fmt.Errorf("%s %s differs from %s %s", m.header.Get("Webhook-Id"), m.raw, before.header.Get("Webhook-Id"), before.raw)
		}
	}
	if repeated == 0 {
		return errors.New("no message was repeated")
	}
	return nil
}

func (w *world) wantLog(ctx context.Context, name, status string, attempts int) error {
	return eventually(ctx, func(ctx context.Context) error {
		line, err := w.message(ctx, name)
		if err != nil {
			return err
		}
		if tried := len(list(line, "attempts")); text(line, "status") != status || tried != attempts {
			return fmt.Errorf("the log shows %v", line)
		}
		return nil
	})
}

func (w *world) wantSwitchedOff(ctx context.Context, why string) error {
	return eventually(ctx, func(ctx context.Context) error {
		got, err := w.must(ctx, request{"GET", receivers + "/" + w.receiver, nil, w.asOwner()})
		if err != nil {
			return err
		}
		if text(got.body, "enabled") != "false" || text(got.body, "disabledReason") != why || text(got.body, "disabledAt") == "" {
			return fmt.Errorf("it %s", got)
		}
		return nil
	})
}

func (w *world) wantPing(ctx context.Context) error {
	return eventually(ctx, func(context.Context) error {
		heard := w.listener().messages()
		if len(heard) != 1 {
			return fmt.Errorf("it heard %d messages", len(heard))
		}
		m := heard[0]
		if m.header.Get("Webhook-Test") != "true" || text(m.body, "collection") != "webhook-endpoints" || text(m.body, "operation") != "update" || m.record() != w.receiver {
			return fmt.Errorf("it heard %v %s", m.header, m.raw)
		}
		return nil
	})
}
