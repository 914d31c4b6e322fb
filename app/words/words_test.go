package words_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// A catalog is a line `name = words` for each name, in their order, so that whoever adds one finds its place.
func TestCatalogsAreInOrder(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no catalogs", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(text) || !strings.HasSuffix(string(text), "\n") {
			t.Errorf("%s is no text with a line break at its end", file)
		}
		before := ""
		for line := range strings.Lines(string(text)) {
			name, word, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
			if !ok || name != strings.TrimSpace(name) || word == "" || word != strings.TrimSpace(word) {
				t.Errorf("%s: this is no `name = words`: %s", file, line)
			}
			if name <= before {
				t.Errorf("%s: %s stands behind %s", file, name, before)
			}
			before = name
		}
	}
}

func TestPreferredLanguage(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]words.Language{
		"":                                    words.English,
		"ko":                                  words.Korean,
		"ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7": words.Korean,
		"KO-kr":                               words.Korean,
		"en-US,en;q=0.9,ko;q=0.8":             words.English,
		"en;q=0.5, ko":                        words.Korean,
		"en, ko":                              words.English,
		"ja,ko;q=0.5,en;q=0.4":                words.Korean,
		"ja, fr;q=0.5":                        words.English,
		"*":                                   words.English,
		"ko;q=0":                              words.English,
		"ko;q=0, *":                           words.English,
		"ko;q=0.5, *":                         words.English,
		"*, ko;q=0.5":                         words.English,
		"ko, *":                               words.Korean,
		"ko, *;q=0.5":                         words.Korean,
		"en;q=0.1, *;q=0.5":                   words.Korean,
		"ko;q=x":                              words.English,
		"ko; q=0.3 , en;q=0.2":                words.Korean,
		"kok":                                 words.English,
		",;=,;;q==ko":                         words.English,
	} {
		if got := words.Preferred(header); got != want {
			t.Errorf("%q prefers %s, want %s", header, got, want)
		}
	}
}

// operatorsReasons are those that only operators meet. Shoppers meet the others, or programs for them.
var operatorsReasons = []string{
	"account_of_several_tenants", "comment_of_another", "cross_site_request", "invitation_mailed_only", "last_admin", "plan_not_changeable",
	"role_not_grantable", "view_of_another", "webhook_endpoint_limit",
}

// Shoppers are not told to look after the shop: browsers ask for their language by themselves.
func TestShoppersAreNotToldToLookAfterTheShop(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("reasons.ko.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		reason, word, _ := strings.Cut(line, " = ")
		for _, chore := range []string{"설정을", "관리자", "연동에서", "요금제", "정책을 확인", "재고를 확인", "먼저 입력", "판매 상태를", "확인 창"} {
			if strings.Contains(word, chore) && !slices.Contains(operatorsReasons, reason) {
				t.Errorf("%s: %s", reason, word)
			}
		}
	}
}

// A sentence is found as it is, by what varies in it, and stays as it is otherwise.
func TestSentences(t *testing.T) {
	t.Parallel()
	for english, korean := range map[string]string{
		"This field is required.":                                           "필수 항목입니다.",
		"This field takes at most 40000 characters.":                        "40000자 이내로 입력하세요.",
		"This field takes one of: draft, published.":                        "다음 중 하나여야 합니다: draft, published",
		"KRW has 0 fraction digits.":                                        "소수점 아래 0자리까지만 쓸 수 있는 통화입니다(KRW).",
		"This is not a number.":                                             "숫자를 입력하세요.",
		`This is not the secret key, "sk_…".`:                               "형식이 올바르지 않습니다. PG사 관리자 화면의 값을 그대로 붙여 넣으세요.",
		"The first row needs this column. Its heading is sku, SKU or 상품코드.": "첫 줄에 이 열이 필요합니다. 열 이름: 상품코드(sku, SKU)",
		"Variants still use the value \"a\nb {}\"; change or delete them first.": "이 옵션값을 쓰는 옵션이 있습니다: " +
			"\"a\nb {}\". 그 옵션을 먼저 바꾸거나 삭제하세요.",
		"The format of order numbers has either {SEQ} or {RANDOM}, once: nothing else makes them unique.": "주문번호가 겹치지 않게 {SEQ} 또는 {RANDOM} 중 하나를 한 번만 넣으세요.",
		"A sentence of tomorrow has {}.":          "A sentence of tomorrow has {}.",
		"The requested record does not exist.":    "찾을 수 없습니다. 삭제되었거나 볼 권한이 없는 항목입니다.",
		"options.0.name: This field is required.": "options.0.name: 필수 항목입니다.",
	} {
		if got := words.Korean.Sentence(english); got != korean {
			t.Errorf("%q is told as %q, want %q", english, got, korean)
		}
		if got := words.English.Sentence(english); got != english {
			t.Errorf("in English %q is told as %q", english, got)
		}
	}
}

// A refusal keeps its reason, its paths and its facts, and says the same in another language.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		given  *fault.Error
		want   string
		fields []fault.Field
	}{
		"by its reason":     {fault.ErrNotFound, "찾을 수 없습니다. 삭제되었거나 볼 권한이 없는 항목입니다.", nil},
		"with its facts":    {team.ErrManyViews.WithData("limit", int64(5000)), "저장한 보기는 5,000개까지 만들 수 있습니다. 쓰지 않는 것을 먼저 지우세요.", nil},
		"lacking a fact":    {team.ErrManyViews, team.ErrManyViews.Message, nil},
		"with another fact": {inventory.ErrStockChanged.WithData("stock", []any{1}), inventory.ErrStockChanged.Message, nil},
		"of fields": {
			fault.ErrValidation.WithFields(fault.Field{Field: "name", Message: "This field is required."}, fault.Field{Field: "x", Message: "Of tomorrow."}),
			"입력한 내용에 잘못된 곳이 있습니다. 표시된 항목을 확인하세요.", []fault.Field{{Field: "name", Message: "필수 항목입니다."}, {Field: "x", Message: "Of tomorrow."}},
		},
		"of the whole input": {
			fault.ErrValidation.WithMessage("A value is too long to be searched."), "너무 긴 값이 있습니다. 줄여서 입력하세요.", nil,
		},
		"of the whole input, without words": {fault.ErrValidation.WithMessage("Of tomorrow."), "Of tomorrow.", nil},
		"of one input, replayed": {
			&fault.Error{
				Kind: fault.Invalid, Reason: "malformed_request", Message: "The request cannot be read.",
				Fields: []fault.Field{{Field: "body", Message: "The request cannot be read."}},
			},
			"요청을 읽을 수 없습니다. 화면을 새로고침하고 다시 시도하세요.", nil,
		},
		"of another among several": {
			fault.ErrValidation.WithFields(fault.Field{Field: "patches.0", Message: fault.ErrNotFound.Message}), "",
			[]fault.Field{{Field: "patches.0", Message: "찾을 수 없습니다. 삭제되었거나 볼 권한이 없는 항목입니다."}},
		},
		"of programs": {fault.ErrMalformed, "요청을 읽을 수 없습니다. 화면을 새로고침하고 다시 시도하세요.", nil},
		"of programs, saying more": {
			fault.ErrMalformed.WithMessage("The key %q is given twice.", "a"),
			`요청을 읽을 수 없습니다. 화면을 새로고침하고 다시 시도하세요. The key "a" is given twice.`, nil,
		},
		"of tomorrow": {&fault.Error{Reason: "of_tomorrow", Message: "Of tomorrow."}, "Of tomorrow.", nil},
	} {
		before := *c.given
		got := words.Korean.Refusal(c.given)
		if c.want != "" && got.Message != c.want {
			t.Errorf("%s: %q, want %q", name, got.Message, c.want)
		}
		if c.fields != nil && !slices.Equal(got.Fields, c.fields) {
			t.Errorf("%s: the fields are %v", name, got.Fields)
		}
		for _, f := range got.InvalidFields() {
			if f.Message == before.Message && got.Message != before.Message {
				t.Errorf("%s: the input is told in English", name)
			}
		}
		if got.Reason != before.Reason || got.Kind != before.Kind || c.given.Message != before.Message {
			t.Errorf("%s: more than the words changed", name)
		}
		if english := words.English.Refusal(c.given); english != c.given {
			t.Errorf("%s: English is not what was said", name)
		}
	}
}

func TestFactsAreFigures(t *testing.T) {
	t.Parallel()
	for fact, want := range map[any]string{
		int64(-1234567): "-1,234,567", collection.JSONNumber("1234.50"): "1,234.50", int64(0): "0", "A-1": "A-1",
	} {
		got := words.Korean.Refusal(inventory.ErrStockChanged.WithData("stock", fact)).Message
		if !strings.Contains(got, "(현재 재고 "+want+"개)") {
			t.Errorf("%v is told as %q", fact, got)
		}
	}
}

// Permissions of operations are called by what they let people do, in English by their own name.
func TestPermissionsHaveNames(t *testing.T) {
	t.Parallel()
	for _, p := range tenant.OperationPermissions {
		label, help := words.Korean.Permission(string(p.Permission), p.Doc)
		english, same := words.English.Permission(string(p.Permission), p.Doc)
		if help == p.Doc || label == english || same != p.Doc || strings.ContainsAny(english, ":-") {
			t.Errorf("%s: %q, %q, in English %q, %q", p.Permission, label, help, english, same)
		}
	}
	if got, _ := words.English.Permission("draft-orders:price", ""); got != "Price draft orders" {
		t.Errorf("got %q", got)
	}
}
