package intake

import (
	"slices"
	"strings"
	"unicode"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
)

// MaxRows is how many rows a file has at most after its header.
const MaxRows = 100_000

// MaxFile is how many bytes a file has at most.
const MaxFile = 25 << 20

// The faults of a file as a whole.
var (
	// ErrColumns: the file lacks a column, has one twice, or one that is not known.
	ErrColumns = fault.NewInvalid("file", "import_columns", "The columns of the file are not those of its kind.")
	// ErrTooManyRows: the file has more than MaxRows rows.
	ErrTooManyRows = fault.New(fault.TooLarge, "import_too_long", "The file has more than 100,000 rows. Send it in parts.")
	// ErrTrialTooLarge: so many rows of a dry run take what other rows take that they cannot be held in memory, or done again at once.
	ErrTrialTooLarge = fault.New(fault.Limited, "import_trial_limit",
		"Too many rows of this file take what other rows of it take. Mend those that were told of so far, or try the file in parts.")
)

// The columns that a report adds before those of the file. An import takes no notice of them, so that a mended report can be
// sent as it is.
const (
	ReportRow    = "importRow"
	ReportErrors = "importErrors"
)

// IsReportColumn reports whether a heading is that of a column that a report adds.
func IsReportColumn(heading string) bool {
	heading = normalize(heading)
	return heading == normalize(ReportRow) || heading == normalize(ReportErrors)
}

// Header is where the columns of a file are. Columns that an import takes no notice of have no place.
type Header struct {
	Kind  Kind
	Cells []string // as they are in the file

	at      map[string]int
	markets []Column // of fixed prices
	locales []Column // of texts in other languages
}

// Has reports whether the file has a column that an import reads.
func (h Header) Has(column string) bool { _, ok := h.at[column]; return ok }

// ReadHeader finds the columns of a file of a kind by their headings, in any order. Empty headings are allowed: what is
// below them is not read. Errors: ErrColumns, with the names of the columns as fields.
func ReadHeader(kind Kind, cells []string) (Header, error) {
	h := Header{Kind: kind, Cells: slices.Clone(cells), at: map[string]int{}}
	byName := headings[kind]
	var bad []fault.Field
	seen := map[string]bool{}
	for i, cell := range cells {
		heading := normalize(cell)
		column, known := byName[heading]
		if !known && kind == Products {
			if column, known = marketColumn(cell); known {
				h.markets = append(h.markets, column)
			} else if column, known = localeColumn(cell); known {
				h.locales = append(h.locales, column)
			}
		}
		switch {
		case heading == "" || IsReportColumn(cell):
			continue
		case !known:
			bad = append(bad, fault.Field{Field: Excerpt(cell), Message: "There is no such column. There are: " + names(kind) + "."})
		case seen[column.Name]:
			bad = append(bad, fault.Field{Field: column.Name, Message: "The file has this column twice."})
		case !column.Shown:
			h.at[column.Name] = i
		}
		seen[column.Name] = true
	}
	for _, c := range columns[kind] {
		if c.Required && !h.Has(c.Name) {
			bad = append(bad, fault.Field{Field: c.Name, Message: "The first row needs this column. Its heading is " +
				c.Name + ", " + c.English + " or " + c.Korean + "."})
		}
	}
	if len(bad) > 0 {
		return Header{}, ErrColumns.WithFields(bad...)
	}
	return h, nil
}

func names(kind Kind) string {
	var all []string
	for _, c := range columns[kind] {
		all = append(all, c.Name)
	}
	if kind == Products {
		all = append(all, "price: and compareAtPrice: with the code of a market", "title:, handle: and description: with a language")
	}
	return strings.Join(all, ", ")
}

// marketColumn is the column of a fixed price in a market, whose heading ends with the market's code.
func marketColumn(heading string) (Column, bool) {
	heading = strings.TrimSpace(heading)
	code := heading[strings.LastIndexAny(heading, ": ")+1:]
	if code == "" {
		return Column{}, false
	}
	for _, c := range transfer.MarketColumns([]collection.Record{{"code": code}}) {
		if c.IsCalled(heading) {
			return Column{Name: c.Name, of: portion, format: number}, true
		}
	}
	return Column{}, false
}

// localeColumn is the column of a text in another language, whose heading ends with that.
func localeColumn(heading string) (Column, bool) {
	heading = strings.TrimSpace(heading)
	tag := heading[strings.LastIndexAny(heading, ": ")+1:]
	locale, ok := tenant.ParseLocale(tag)
	if !ok {
		return Column{}, false
	}
	for _, c := range transfer.LocaleColumns([]string{locale}) {
		if c.IsCalled(heading) {
			return Column{Name: c.Name}, true
		}
	}
	return Column{}, false
}

// headings are the columns of each kind by their normalized headings.
var headings = func() map[Kind]map[string]Column {
	all := map[Kind]map[string]Column{}
	for kind, list := range columns {
		all[kind] = map[string]Column{}
		for _, c := range list {
			for _, heading := range [...]string{c.Name, c.English, c.Korean} {
				all[kind][normalize(heading)] = c
			}
		}
	}
	return all
}()

// normalize removes spaces, punctuation and invisible characters from text and ignores case.
func normalize(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// maxExcerpt is how many characters of a cell a message quotes.
const maxExcerpt = 40

// Excerpt is text, shortened for a message.
func Excerpt(text string) string {
	runes := []rune(strings.ToValidUTF8(text, ""))
	if len(runes) <= maxExcerpt {
		return string(runes)
	}
	return string(runes[:maxExcerpt]) + "…"
}
