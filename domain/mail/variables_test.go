package mail_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
)

// A template that a shop saved stays as good as it was: every variable that a kind ever had can be read. testdata/variables.txt has them
// all; a new one is added to it, and one that goes is retired. Rule mail-33.
func TestEveryVariableEverCanBeRead(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("testdata/variables.txt")
	if err != nil {
		t.Fatal(err)
	}
	ever := map[string]bool{}
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		kind, name, _ := strings.Cut(line, " ")
		ever[line] = true
		saved := mail.Template{Kind: mail.Kind(kind), Locale: "en", Subject: "Hello", Body: "{{#" + name + "}}It is there.{{/" + name + "}}\n"}
		if err := saved.Check(); err != nil {
			t.Errorf("a saved template of %s cannot be read: %v", line, err)
		}
	}
	for _, kind := range mail.Kinds {
		for _, v := range mail.VariablesOf(mail.Kind(kind)) {
			if !ever[kind+" "+v.Name] {
				t.Errorf("testdata/variables.txt lacks %s %s", kind, v.Name)
			}
		}
	}
}

// What mails of a kind told once says nothing in the templates that still name it, and keeps none of their other words from readers.
func TestRetiredVariablesSayNothing(t *testing.T) {
	t.Parallel()
	facts := mail.Sample(mail.PaymentWaiting, "en", "USD", time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC))
	facts["orderUrl"], facts["paymentUrl"] = "https://shop.example/order", "https://shop.example/pay"
	saved := mail.Template{
		Kind: mail.PaymentWaiting, Locale: "en", Subject: "Please pay {{orderNumber}}{{orderDate}}",
		Body: "Our own words.{{#orderUrl}} See it.{{/orderUrl}}\n\n[Pay now]({{paymentUrl}})\n",
	}
	m, err := mail.Write(mail.PaymentWaiting, facts, "en", []mail.Template{saved}, mail.Shop{Locale: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(m.Subject, "Please pay ") || !strings.Contains(m.Text, "Our own words.") {
		t.Errorf("the shop's words are lost: %q %s", m.Subject, m.Text)
	}
	if strings.Contains(m.Text, "See it") || strings.Contains(m.Text, "shop.example") || strings.Contains(m.HTML, "shop.example") {
		t.Errorf("what is retired is told: %s", m.Text)
	}
	for _, v := range mail.VariablesOf(mail.PaymentWaiting) {
		if v.Name == "orderUrl" || v.Name == "paymentUrl" {
			t.Errorf("%s is offered", v.Name)
		}
	}
}

// A template that this version cannot read can be switched off, and neither on nor changed before it is mended. Rule mail-21.
func TestUnreadableTemplatesCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	before := collection.Record{"kind": "order_placed", "locale": "en", "subject": "Hello {{gone}}", "body": "Hello", "active": true}
	changed := func(name string, to any) collection.Record {
		next := before.Clone()
		next["active"] = false
		next[name] = to
		return next
	}
	if _, err := mail.Complete(before, changed("active", false)); err != nil {
		t.Errorf("switched off: %v", err)
	}
	if _, err := mail.Complete(before, changed("active", true)); err == nil {
		t.Error("it can stay on")
	}
	if _, err := mail.Complete(before, changed("body", "Hello {{gone}}")); err == nil {
		t.Error("it can be changed into another wrong text")
	}
	if _, err := mail.Complete(before, changed("subject", "Hello")); err != nil {
		t.Errorf("mended: %v", err)
	}
}
