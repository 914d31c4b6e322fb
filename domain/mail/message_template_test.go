package mail_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// shippedMessage is a template as a shop writes it for KakaoTalk.
func shippedMessage() mail.MessageTemplate {
	return mail.MessageTemplate{
		Kind: mail.OrderShipped, Locale: "ko", Code: "SHIP_1",
		Text:         "#{이름}님, #{상품}이(가) 발송되었습니다.\n운송장: #{trackingNumber}",
		FallbackText: "#{상품} 발송",
		Variables:    []mail.MessageVariable{{"이름", "name", "고객"}, {"상품", "lines", ""}, {"배송조회", "trackingUrl", ""}},
		Buttons:      []mail.MessageButton{{"배송 조회", "#{배송조회}"}, {"주문", "https://shop.example/orders?n=#{orderNumber}"}},
	}
}

func TestWrongMessageTemplatesAreRefused(t *testing.T) {
	t.Parallel()
	if err := shippedMessage().Check(); err != nil {
		t.Fatal(err)
	}
	many := make([]mail.MessageButton, 6)
	for name, c := range map[string]struct {
		change      func(*mail.MessageTemplate)
		field, says string
	}{
		"a variable that nobody knows": {func(m *mail.MessageTemplate) { m.Text = "#{name}\n한글 #{별명}" }, "text", "Line 2, column 4: there is no variable 별명."},
		"one without an end":           {func(m *mail.MessageTemplate) { m.Text = "a #{name" }, "text", "Line 1, column 3: this variable has no end"},
		"one with lines of its own":    {func(m *mail.MessageTemplate) { m.Text = "#{address}" }, "text", "one line"},
		"one that is no text":          {func(m *mail.MessageTemplate) { m.Text = "#{partial}" }, "text", "one line"},
		"one in the other text":        {func(m *mail.MessageTemplate) { m.FallbackText = "#{?}" }, "fallbackText", "Line 1, column 1"},
		"one that tells nothing known": {func(m *mail.MessageTemplate) { m.Variables[1].Tells = "goods" }, "variables.1.tells", "There is no variable goods."},
		"one twice":                    {func(m *mail.MessageTemplate) { m.Variables[1].Name = "이름" }, "variables.1.name", "twice"},
		"one with a brace":             {func(m *mail.MessageTemplate) { m.Variables[1].Name = "a}" }, "variables.1.name", "stands between"},
		"no code":                      {func(m *mail.MessageTemplate) { m.Code = " " }, "templateCode", "code"},
		"no text":                      {func(m *mail.MessageTemplate) { m.Text = " " }, "text", "needs a text"},
		"too long":                     {func(m *mail.MessageTemplate) { m.Text = strings.Repeat("가", 1001) }, "text", "1000 characters"},
		"too many buttons":             {func(m *mail.MessageTemplate) { m.Buttons = many }, "buttons", "5 buttons"},
		"a long name of a button":      {func(m *mail.MessageTemplate) { m.Buttons[0].Name = strings.Repeat("가", 15) }, "buttons.0.name", "14 characters"},
		"a button that leads anywhere": {func(m *mail.MessageTemplate) { m.Buttons[0].URL = "javascript:alert(1)" }, "buttons.0.url", "https"},
		"a button to what is no link":  {func(m *mail.MessageTemplate) { m.Buttons[0].URL = "#{이름}" }, "buttons.0.url", "https"},
		"a kind for the team":          {func(m *mail.MessageTemplate) { m.Kind, m.Variables = mail.Invitation, nil }, "kind", "messages"},
	} {
		m := shippedMessage()
		c.change(&m)
		err := m.Check()
		var fields []fault.Field
		if failed, ok := errors.AsType[*fault.Error](err); ok {
			fields = failed.Fields
		}
		if !errors.Is(err, fault.ErrValidation) || len(fields) != 1 || fields[0].Field != c.field || !strings.Contains(fields[0].Message, c.says) {
			t.Errorf("%s: %v %+v", name, err, fields)
		}
	}
}

// What is sent is the approved text, in which nothing but the variables is replaced, each by one line.
func TestMessagesAreTheirTemplateWithItsVariablesReplaced(t *testing.T) {
	t.Parallel()
	facts := mail.Facts{
		"name": "김\n하늘 #{주문}", "trackingNumber": "6123", "trackingUrl": "https://carrier.example/6123", "orderNumber": "A/1 2",
		"lines": []collection.Record{{"title": "머그컵"}, {"title": "접시"}, {"title": "컵"}},
	}
	m, err := shippedMessage().Render(facts, mail.Shop{})
	want := mail.PhoneMessage{
		Kind: mail.OrderShipped, Locale: "ko", TemplateCode: "SHIP_1",
		Text: "김 하늘 #{주문}님, 머그컵 외 2건이(가) 발송되었습니다.\n운송장: 6123", FallbackText: "머그컵 외 2건 발송",
		Variables: []mail.MessageValue{
			{"이름", "김 하늘 #{주문}"}, {"상품", "머그컵 외 2건"}, {"trackingNumber", "6123"}, {"배송조회", "https://carrier.example/6123"},
			{"orderNumber", "A/1 2"},
		},
		Buttons: []mail.MessageButton{{"배송 조회", "https://carrier.example/6123"}, {"주문", "https://shop.example/orders?n=A%2F1%202"}},
	}
	if err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("%+v\nwant %+v\n%v", m, want, err)
	}
	total := mail.MessageTemplate{Kind: mail.OrderPlaced, Locale: "ko", Code: "O", Text: "#{shopName}: #{total}"}
	if m, err := total.Render(mail.Facts{"total": money.Of(12000, "KRW")}, shopOf("Mug House")); err != nil || m.Text != "Mug House: 12,000원" {
		t.Errorf("%q %v", m.Text, err)
	}
}

func TestAVariableThatTellsNothingHasItsDefaultOrStopsTheMessage(t *testing.T) {
	t.Parallel()
	facts := mail.Facts{
		"trackingNumber": "6123", "trackingUrl": "https://carrier.example/6123", "orderNumber": "1", "lines": []collection.Record{{"title": "컵"}},
	}
	m, err := shippedMessage().Render(facts, mail.Shop{})
	if err != nil || !strings.HasPrefix(m.Text, "고객님, 컵이(가)") {
		t.Errorf("%q %v", m.Text, err)
	}
	for _, name := range []string{"trackingNumber", "trackingUrl", "lines"} {
		without := facts.Clone()
		delete(without, name)
		if _, err := shippedMessage().Render(without, mail.Shop{}); !errors.Is(err, fault.ErrValidation) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	long := facts.Clone()
	long["trackingNumber"] = strings.Repeat("1", 1000)
	if _, err := shippedMessage().Render(long, mail.Shop{}); !errors.Is(err, fault.ErrValidation) {
		t.Errorf("a text that became too long: %v", err)
	}
}

// Every kind of message can be shown by made-up facts.
func TestEveryVariableOfOneLineIsToldByMessages(t *testing.T) {
	t.Parallel()
	for _, name := range mail.MessageKinds {
		kind := mail.Kind(name)
		for _, v := range mail.VariablesOf(kind) {
			m := mail.MessageTemplate{Kind: kind, Locale: "ko", Code: "C", Text: "#{" + v.Name + "}"}
			if m.Check() != nil { // one with lines of its own
				continue
			}
			got, err := m.Render(mail.Sample(kind, "ko", "KRW", sampled), shopOf("Mug House"))
			if err != nil || got.Text == "" || strings.Contains(got.Text, "\n") {
				t.Errorf("%s %s: %q %v", kind, v.Name, got.Text, err)
			}
		}
	}
}

func TestMessagesAreChosenByLanguage(t *testing.T) {
	t.Parallel()
	saved := []mail.MessageTemplate{{Kind: mail.OrderPlaced, Locale: "ko"}, {Kind: mail.OrderPlaced, Locale: "ja"}, {Kind: mail.RefundMade, Locale: "en"}}
	for name, c := range map[string]struct {
		kind               mail.Kind
		locale, shop, want string
	}{
		"as the reader wants it":     {mail.OrderPlaced, "ja", "ko", "ja"},
		"in the language":            {mail.OrderPlaced, "ja-JP", "ko", "ja"},
		"else as the shop writes":    {mail.OrderPlaced, "fr", "ko-KR", "ko"},
		"else not at all":            {mail.OrderPlaced, "fr", "en", ""},
		"and none of another kind":   {mail.OrderShipped, "ko", "ko", ""},
		"where nobody knows a thing": {mail.RefundMade, "", "", ""},
	} {
		if got, ok := mail.ChooseMessage(c.kind, c.locale, c.shop, saved); got.Locale != c.want || ok != (c.want != "") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAMessageTemplateThatCannotBeReadCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	wrong := collection.Record{"kind": "order_placed", "locale": "ko", "templateCode": "C", "text": "#{gone}", "active": true}
	off := wrong.Clone()
	off["active"] = false
	if _, err := mail.CompleteMessage(wrong, off); err != nil {
		t.Error(err)
	}
	if _, err := mail.CompleteMessage(off, wrong); !errors.Is(err, fault.ErrValidation) {
		t.Errorf("it is switched on: %v", err)
	}
	wrong["text"], wrong["locale"] = "#{name}", "KO"
	if got, err := mail.CompleteMessage(nil, wrong); err != nil || got["locale"] != "ko" || wrong["locale"] != "KO" {
		t.Errorf("%v of %v, %v", got, wrong, err)
	}
}

// sampled is the day on which facts are made up.
var sampled = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func shopOf(name string) (s mail.Shop) {
	s.Name = name
	return s
}
