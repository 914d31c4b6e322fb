package rest

import (
	"strings"
	"testing"
	"time"
)

// What stands in mails becomes no markup of the page, and runs nowhere: their frames have a sandbox without scripts, and the page a
// policy without any.
func TestMailboxPageRunsNothing(t *testing.T) {
	t.Parallel()
	const evil = `"><script>alert(1)</script><iframe srcdoc='x'>`
	page := MailboxPage{Newest: func() []MailboxMail {
		return []MailboxMail{{
			ID: "1", At: time.Unix(0, 0), From: evil, To: evil, Locale: evil, Subject: evil, Text: evil + ` see https://shop.example/?a=1&b="x"`, HTML: evil,
		}}
	}}.page()
	if strings.Contains(page, "<script") || strings.Count(page, "<iframe") != 1 ||
		!strings.Contains(page, ` sandbox loading="lazy" srcdoc="&#34;&gt;&lt;script&gt;`) {
		t.Error(page)
	}
	if !strings.Contains(page, `<a href="https://shop.example/?a=1&amp;b=">`) {
		t.Errorf("a link cannot be followed: %s", page)
	}
	if strings.Contains(mailboxPolicy, "script-src") || !strings.HasPrefix(mailboxPolicy, "default-src 'none';") {
		t.Error(mailboxPolicy)
	}
}
