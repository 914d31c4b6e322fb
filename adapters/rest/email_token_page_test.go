package rest

import (
	"strings"
	"testing"
)

func TestEmailTokenPageLeadsUsersToTheConsole(t *testing.T) {
	t.Parallel()
	page := EmailTokenPage{Newest: func() []EmailToken {
		return []EmailToken{
			{Purpose: "rst", Collection: "users", Token: "rst_1.<a>&b"}, {Purpose: "inv", Collection: "user-invitations", Token: "inv_1"},
			{Purpose: "rst", Collection: "customers", Token: "rst_2"},
		}
	}}.page()
	for _, want := range []string{
		`<a href="/console/reset?token=rst_1.%3Ca%3E%26b"><code>rst_1.&lt;a&gt;&amp;b</code></a>`, `<a href="/console/invitation?token=inv_1">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "token=rst_2") {
		t.Error("a customer is led to the console")
	}
}
