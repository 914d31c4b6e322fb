package productsearch_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// shelf is some products that are looked through one by one.
type shelf struct{ portstest.ScannedProducts }

// find are the products that a text finds, best level first, and the corrections.
func (s shelf) find(t *testing.T, text string) (found []string, taken []productsearch.Correction) {
	t.Helper()
	q, err := productsearch.Parse(text, strings.ToLower)
	if err != nil {
		t.Fatal(err)
	}
	_, levels, taken, err := productsearch.Match[portstest.Names](s, q, strings.ToLower)
	if err != nil {
		t.Fatal(err)
	}
	for l, at := range levels {
		for _, id := range slices.Sorted(maps.Keys(at)) {
			if !slices.Contains(found, id) {
				found = append(found, id)
			}
		}
		if l > 0 && len(s.And(levels[l-1], at)) != len(levels[l-1]) {
			t.Errorf("%q: level %d lacks some of the level before", text, l)
		}
	}
	return found, taken
}

func shop() shelf {
	var s shelf
	for id, p := range map[string]productsearch.Product{
		"shirt":   {Names: []string{"반팔티셔츠 Red", "Short-sleeved T-Shirt"}, Brand: "nike", Descriptions: []string{"<p>Cotton &amp; linen</p> 면 소재"}},
		"earbuds": {Names: []string{"무선 이어폰 Pro2", "Wireless Earbuds"}, Categories: []string{"audio"}},
		"glasses": {Names: []string{"Sunglasses"}, Tags: []string{"summer"}},
		"mug":     {Names: []string{"Coffee Mug", "머그컵", "マグカップ"}, Options: []productsearch.Option{{Name: "Color", Value: "Blue"}}},
		"hidden":  {Names: []string{"Mug of yesterday"}},
	} {
		p.ID, p.Listed, p.Price = id, id != "hidden", -1
		s.Entries = append(s.Entries, productsearch.EntryOf(p, strings.ToLower))
	}
	s.Listed = []productsearch.Group{
		{Kind: productsearch.Brand, ID: "nike", Names: map[string]string{"": "Nike", "ko": "나이키"}},
		{Kind: productsearch.Category, ID: "audio", Names: map[string]string{"": "오디오"}},
		{Kind: productsearch.Tag, ID: "summer", Names: map[string]string{"": "Summer"}},
		{Kind: productsearch.OptionValue, ID: "Color\x1fBlue", Names: map[string]string{"": "Color\x1fBlue", "ko": "색상\x1f파랑"}},
	}
	return s
}

// What shoppers type finds what they mean. Rules search-10, search-11, search-12.
func TestShoppersFindWhatTheyMean(t *testing.T) {
	t.Parallel()
	s := shop()
	for text, want := range map[string]string{
		"mug": "mug", "MUG coffee": "mug", "mug tea": "", "cof": "mug", "offee": "", "cffee": "mug",
		"coff mug": "", "mug coff": "mug", "blue mug": "mug", "파랑": "mug",
		"티셔츠": "shirt", "반팔 티셔츠": "shirt", "반팔티": "shirt", "tshirt": "shirt", "t shirt": "shirt", "t-shirt": "shirt", "nike red": "shirt", "나이키": "shirt",
		"linen": "shirt", "소재": "shirt", "무선이어폰": "earbuds", "무선 이어폰": "earbuds", "이어폰": "earbuds", "pro2": "earbuds", "이어폰pro2": "earbuds", "오디오": "earbuds",
		"sun glasses": "glasses", "sunglasses": "glasses", "sunglassez": "glasses", "sunglsases": "glasses", "summer": "glasses", "カップ": "mug",
		"ㅇㅇㅍ": "earbuds", "ㅁㅅㅇㅇㅍ": "earbuds", "ㅁㅅ": "earbuds", "ㅌㅅㅊ": "shirt", "ㅍㅇㅇ": "",
		"xltucm": "shirt", "anrjs": "", "ajrmzjq": "mug", "ㅡㅕㅎ": "mug", "이어펀": "earbuds", "무손이어폰": "earbuds", "머그껍": "mug",
		"nothing": "", "yesterday": "", "x": "", "!!!": "",
	} {
		if found, taken := s.find(t, text); strings.Join(found, " ") != want {
			t.Errorf("%q finds %v (taken: %v), want %q", text, found, taken, want)
		}
	}
}

// A word that stands nowhere is told with what it was taken for. Rule search-12.
func TestCorrectionsAreTold(t *testing.T) {
	t.Parallel()
	s := shop()
	for text, want := range map[string]productsearch.Correction{
		"sunglassez": {Typed: "sunglassez", Taken: "sunglasses"}, "xltucm": {Typed: "xltucm", Taken: "티셔츠"}, "ㅡㅕㅎ": {Typed: "ㅡㅕㅎ", Taken: "mug"},
	} {
		if _, taken := s.find(t, text); len(taken) != 1 || taken[0] != want {
			t.Errorf("%q: %v, want %v", text, taken, want)
		}
	}
	if _, taken := s.find(t, "coffee mug"); taken != nil {
		t.Errorf("what stands there is not corrected: %v", taken)
	}
}

// What has the words in its name comes before what has them elsewhere. Rule search-13.
func TestNamesComeBeforeEverythingElse(t *testing.T) {
	t.Parallel()
	var s shelf
	for id, p := range map[string]productsearch.Product{
		"a": {Descriptions: []string{"goes with a lamp"}, Names: []string{"Bulb"}}, "b": {Names: []string{"Bulb"}, Tags: []string{"lamps"}},
		"c": {Names: []string{"Lampshade"}}, "d": {Names: []string{"Lamp"}},
	} {
		p.ID, p.Listed, p.Price = id, true, -1
		s.Entries = append(s.Entries, productsearch.EntryOf(p, strings.ToLower))
	}
	s.Listed = []productsearch.Group{{Kind: productsearch.Tag, ID: "lamps", Names: map[string]string{"": "Lamp"}}}
	if found, _ := s.find(t, "lamp"); strings.Join(found, "") != "dcba" {
		t.Errorf("found %v", found)
	}
}

func TestKeysOfTheOtherLayout(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"xltucm": "티셔츠", "dkssud": "안녕", "Ekfrl": "딸기", "rkqtdjcl": "값어치", "dlfrwk": "읽자", "tkfka": "사람", "dnjf": "월", "ㅡㅕㅎ": "mug", "ㅑㅔㅙㅜㄷ": "iphone",
		"q": "", "qw": "", "한글": "gksrmf", "a1": "", "mug": "",
	} {
		if got := productsearch.Turned(typed); got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}

func TestNearWords(t *testing.T) {
	t.Parallel()
	words := []string{"sunglasses", "coffee", "mug", "toffee", "coffees", "이어폰", "티셔츠"}
	for word, want := range map[string]string{
		"cofee": "coffee", "cofefe": "coffee", "xoffee": "coffee toffee", "mog": "", "sunglsse": "sunglasses", "sunglasss": "sunglasses",
		"sunglassss": "sunglasses",
		"이어펀":        "이어폰", "티셔쯔": "티셔츠", "coffee": "coffees toffee",
	} {
		if got := strings.Join(productsearch.Near(word, words), " "); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestLongTextsAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := productsearch.Parse(strings.Repeat("가", productsearch.MaxQuery+1), strings.ToLower); err == nil {
		t.Error("no error")
	}
	if q, err := productsearch.Parse(strings.Repeat("가 나 ", 90)[:200], strings.ToLower); err != nil || len(q.Words) != 2 {
		t.Errorf("%v, %v", q, err)
	}
}
