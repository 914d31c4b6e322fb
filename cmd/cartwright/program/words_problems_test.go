package program

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// problemArguments are the functions that are given the sentence about a field, and which argument it is. A name without a dot is of
// the package before it.
var problemArguments = map[string]int{
	"fault.Invalidf":                  1, // a refusal of one field
	"fault.ErrValidation.WithMessage": 0, // a refusal of the whole input
	"fault.ErrNotFound.WithMessage":   0, // a refusal that says what is not there
	"ErrUnknownCarrier.WithMessage":   0, // passed on where a file's carrier is chosen
	"domain/money NewInvalid":         2, // passed on by whoever reads a number
	"domain/shipping NewInvalid":      2, // passed on by the zones of policies
	"domain/shipping WithMessage":     0, // passed on by carts and checkouts
	"domain/collection problem":       1, // what records are checked for
	"domain/discount add":             1, // what discounts are checked for
	"domain/mail refuse":              1, // what the texts of mails are checked for
	"domain/intake fail":              2, // what the rows of files are checked for
	"domain/order problemf":           1, // what orders of other systems are checked for
	"domain/payment check":            3, // the parts of a refund account
	"app/cataloging add":              1, // products in one piece
	"app/fulfillments wrong":          1, // which orders a carrier's file has
	"app/operation Problem":           1, // what the inputs of operations are checked for
	"app/operation Removed":           1, // inputs of older versions
}

// problemHolders are the functions and constants whose texts are such sentences: what a text, a number, the address of a webhook and
// the keys of a payment provider are checked for, and amounts of returns.
var problemHolders = []string{
	"TextProblem", "RangeProblem", "URLProblem", "Malformed", "notNegative", "NoCountry", "noLanguageTag", "checkRange", "CheckParts", "completeProvinces",
}

// problemsPassedOn are the other expressions for a sentence, which is found where it is made, and the packages that have them.
var problemsPassedOn = map[string]string{
	// Given to a function of problemArguments, or what one of problemHolders says.
	"message":           "domain/address domain/shipping app/cataloging app/fulfillments app/operation domain/collection domain/discount domain/payment",
	"problem":           "domain/shipping app/messages app/operation app/taxing app/webhooks domain/collection domain/payment",
	"notNegative":       "domain/returns",
	"order":             "domain/shipping",
	"NoCountry":         "domain/address",
	"address.NoCountry": "domain/shipping app/records app/shopprofile",
	"noLanguageTag":     "app/records",
	// Of faults that are declared: of numbers, carriers, postal codes and stock.
	"fault.From(err).Message":        "app/fulfillments app/operation app/quotes app/repricing app/returnrequests domain/collection domain/discount",
	"ErrPostalCode.Message":          "domain/shipping",
	"shipping.ErrPostalCode.Message": "app/quotes",
	`"%s"`:                           "app/checkouts", // of an address
	"catalog.ErrStockOnVariants.Fields[0].Message": "app/cataloging",
	// Of a record among several, and of a part of one.
	"f.Message":       "app/bulk app/cataloging",
	"p[i].Message":    "app/bulk",
	"unreadable":      "domain/intake", // of the file's own reader
	"p.Message":       "app/records domain/address",
	"problem.Message": "app/operation",
	// Of refuse and problemf, functions of problemArguments.
	"format":                       "domain/mail",
	"fmt.Sprintf(format, args...)": "domain/order",
}

// withoutForm are the files whose sentences nobody gets at a form, by how their names begin.
var withoutForm = []string{
	// Addresses, headers, multipart bodies and documents that programs write, and the parameters of lists, which screens set by themselves.
	"adapters/rest/", "app/access/tokens.go", "app/records/list.go", "app/records/search.go", "app/searching/",
	"app/eventfeed/", "app/operation/schemas.go",
	// What the servers of storefronts send.
	"app/storefront/", "app/payments/urls.go",
	// Commands of a terminal.
	"app/onboarding/", "app/catalogtransfer/",
}

// kindsOfValues are what withArticle says: the kinds of fields that are no lists or objects, and those of addresses.
var kindsOfValues = []string{
	"a " + collection.Text.String(), "a " + collection.Number.String(), "an " + collection.Money.String(), "a " + collection.Integer.String(),
	"a " + collection.Boolean.String(), "a " + collection.Date.String(), "an " + collection.Email.String(), "a " + collection.Select.String(),
	"a " + collection.Relation.String(), "a " + collection.Upload.String(),
	"an http or https address", "an origin such as https://shop.example, without a path",
}

// wordsFolder has the catalogs of what the server says.
const wordsFolder = "../../../app/words"

// Every sentence about an input that somebody can get at a form has Korean words, and no other has.
func TestSentencesHaveKoreanWords(t *testing.T) {
	t.Parallel()
	words := wordsIn(t, "problems.ko.txt")
	found := problemSentences(t)
	for s, dir := range found {
		if _, ok := words[s]; !ok {
			t.Errorf("problems.ko.txt lacks what %s says: %s", dir, s)
		}
	}
	for s, word := range words {
		if found[s] == "" {
			t.Errorf("problems.ko.txt has what nothing says: %s", s)
		}
		if n := strings.Count(word, "{}"); n > 0 && n != strings.Count(s, "{}") {
			t.Errorf("the Korean has other values: %s", s)
		}
		for _, at := range regexp.MustCompile(`{(\d+)}`).FindAllStringSubmatch(word, -1) {
			if n, _ := strconv.Atoi(at[1]); n < 1 || n > strings.Count(s, "{}") {
				t.Errorf("the Korean has the value %d, which there is not: %s", n, s)
			}
		}
	}
}

// Every reason has Korean words, of facts that refusals have, and no other has.
func TestReasonsHaveKoreanWords(t *testing.T) {
	t.Parallel()
	golden, err := os.ReadFile("../../../adapters/rest/testdata/reasons.golden")
	if err != nil {
		t.Fatal(err)
	}
	words, reasons := wordsIn(t, "reasons.ko.txt"), map[string]bool{}
	for line := range strings.Lines(string(golden)) {
		reason, _, _ := strings.Cut(line, " ")
		if reasons[reason] = true; words[reason] == "" {
			t.Errorf("reasons.ko.txt lacks %s", reason)
		}
	}
	facts := factNames(t)
	for reason, word := range words {
		if !reasons[reason] {
			t.Errorf("reasons.ko.txt has %s, which is no reason", reason)
		}
		for _, fact := range regexp.MustCompile(`{(\w+)}`).FindAllStringSubmatch(word, -1) {
			if !facts[fact[1]] && fact[1] != "message" {
				t.Errorf("reasons.ko.txt: %s has the fact %s, which no refusal has", reason, fact[1])
			}
		}
	}
}

// factNames are the names of the facts that refusals have.
func factNames(t *testing.T) map[string]bool {
	t.Helper()
	named, all := regexp.MustCompile(`WithData\("(\w+)"`), map[string]bool{collection.RevisionName: true}
	for _, layer := range []string{"domain", "app"} {
		err := filepath.WalkDir("../../../"+layer, func(name string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			for _, m := range named.FindAllSubmatch(text, -1) {
				all[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// wordsIn is a catalog of words by name.
func wordsIn(t *testing.T, name string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(wordsFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, word, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		words[name] = word
	}
	return words
}
