package intake

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Problem is what is wrong with a row.
type Problem struct {
	Row     int    // as spreadsheets count
	Column  string // name of the column; "" for the row
	Code    string // a stable word
	Message string // for people
}

// The codes of problems that are found before anything is looked up.
const (
	CodeUnreadable = "row_unreadable"    // the row cannot be read at all
	CodeFormula    = "formula"           // a cell is a formula, which is not computed
	CodeMissing    = "required"          // a cell is empty that must not be
	CodeNumber     = "number"            // a cell is no number
	CodeFlag       = "boolean"           // a cell is neither true nor false
	CodeList       = "list"              // a cell is no list of the expected form
	CodeRepeated   = "row_repeated"      // an earlier row has the same key
	CodeDiffers    = "row_differs"       // a row says something else of its record than the first row of it
	CodeOtherRow   = "other_row"         // another row of the same record was rejected
	CodeTooMany    = "record_too_long"   // a record has more rows than a record may have
	CodeNotFound   = "record_not_found"  // there is no record to update
	CodeExists     = "record_exists"     // there is a record already, which was to be created
	CodeReference  = "reference_unknown" // a cell names a record that does not exist
)

// Row is a row of a file.
type Row struct {
	Number   int       // as spreadsheets count, from 1
	Cells    []string  // as they are in the file
	Problems []Problem // what is wrong with its form

	header Header
}

// ReadRow reads a row. formulas are the indexes of the cells that are formulas; unreadable says why the row cannot be read,
// "" if it can.
func (h Header) ReadRow(number int, cells []string, formulas []int, unreadable string) Row {
	r := Row{Number: number, Cells: slices.Clone(cells), header: h}
	if unreadable != "" {
		r.fail("", CodeUnreadable, unreadable)
		return r
	}
	for name, i := range h.at {
		if slices.Contains(formulas, i) {
			r.fail(name, CodeFormula, "The cell is a formula. Copy the column, and paste it as values.")
		}
	}
	slices.SortFunc(r.Problems, func(a, b Problem) int { return cmp.Compare(h.at[a.Column], h.at[b.Column]) })
	if key := h.Kind.Key(); len(r.Problems) == 0 && r.Key() == "" {
		r.fail(key, CodeMissing, "The cell is empty.")
	}
	return r
}

// byID begins the key of a row of a variant without SKU, which is known by its id.
const byID = "\x00"

// Key is what the row is known by, as it is compared: "" if the row does not say.
func (r Row) Key() string {
	key := strings.TrimSpace(r.cell(r.header.Kind.Key()))
	switch r.header.Kind {
	case Stock:
		if id := strings.TrimSpace(r.cell("variant")); key == "" && id != "" {
			return byID + id
		}
		return key
	case Customers:
		return strings.ToLower(key)
	case Discounts:
		return strings.ToUpper(key)
	default: // slugs, SKUs and order numbers differ by case
		return key
	}
}

// UniqueCell is a text in a row that one record of a collection may have.
type UniqueCell struct {
	Collection, Field string // slug of the collection, and the field that has the text
	Text              string
}

// UniqueCells are what the row says that one record of a shop may have: what it is known by, and the SKU of a variant. Counts of
// stock say nothing of the kind.
func (r Row) UniqueCells() (list []UniqueCell) {
	kind := r.header.Kind
	if kind == Stock || r.Key() == "" {
		return nil
	}
	list = append(list, UniqueCell{reads[kind].about, kind.KeyField(), r.Key()})
	if sku := strings.TrimSpace(r.cell("sku")); kind == Products && sku != "" {
		list = append(list, UniqueCell{reads[Stock].about, reads[Stock].field, sku})
	}
	return list
}

func (r *Row) fail(column, code, message string) {
	r.Problems = append(r.Problems, Problem{r.Number, column, code, message})
}

// cell is the text of a cell; "" if the row or the file has none.
func (r Row) cell(column string) string {
	if i, there := r.header.at[column]; there && i < len(r.Cells) {
		return r.Cells[i]
	}
	return ""
}

// values are the cells of the named columns that the file has, in the form in which clients send them; nil is an empty one. An
// empty cell for true or false is left out.
func (r *Row) values(list []Column) map[string]any {
	out := map[string]any{}
	for _, c := range list {
		if !r.header.Has(c.Name) {
			continue
		}
		cell := r.cell(c.Name)
		if strings.TrimSpace(cell) == "" {
			if c.format != flag {
				out[c.Name] = nil
			}
			continue
		}
		if v, ok := r.value(c, cell); ok {
			out[c.Name] = v
		}
	}
	return out
}

func (r *Row) value(c Column, cell string) (v any, ok bool) {
	trimmed := strings.TrimSpace(cell)
	switch c.format {
	case number:
		if v, ok = readNumber(trimmed); !ok {
			r.fail(c.Name, CodeNumber, "The cell is not a number such as 1234.50.")
		}
	case flag:
		if v, ok = flags[normalize(trimmed)]; !ok {
			r.fail(c.Name, CodeFlag, "The cell is neither true nor false.")
		}
	case words:
		return texts(splitList(trimmed)), true
	case word:
		return trimmed, true
	default:
		return cell, true
	}
	return v, ok
}

func texts(items []string) []any {
	out := make([]any, len(items))
	for i, it := range items {
		out[i] = it
	}
	return out
}

// flags are the words for true and false.
var flags = map[string]any{
	"true": true, "yes": true, "y": true, "1": true, "예": true, "네": true, "참": true, "o": true,
	"false": false, "no": false, "n": false, "0": false, "아니오": false, "아니요": false, "거짓": false, "x": false,
}

// readNumber reads a decimal number, possibly with commas between thousands. A number with an exponent is refused:
// spreadsheets write so what they have rounded.
func readNumber(cell string) (collection.JSONNumber, bool) {
	if strings.ContainsAny(cell, "eE") {
		return "", false
	}
	whole, fraction, _ := strings.Cut(cell, ".")
	if strings.Contains(fraction, ",") {
		return "", false
	}
	if groups := strings.Split(whole, ","); len(groups) > 1 {
		for i, g := range groups {
			if i > 0 && len(g) != 3 || i == 0 && (len(strings.TrimLeft(g, "+-")) == 0 || len(strings.TrimLeft(g, "+-")) > 3) {
				return "", false
			}
		}
		cell = strings.ReplaceAll(cell, ",", "")
	}
	return plainNumber(strings.TrimPrefix(cell, "+"))
}

// plainNumber is a number of digits, with a point and more digits or without, in the form that clients send.
func plainNumber(cell string) (collection.JSONNumber, bool) {
	digits, negative := strings.CutPrefix(cell, "-")
	whole, fraction, dotted := strings.Cut(digits, ".")
	if !isDigits(whole) || dotted && !isDigits(fraction) {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	out := whole
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		out += "." + fraction
	}
	if negative && out != "0" {
		out = "-" + out
	}
	return collection.JSONNumber(out), true
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// readWhole reads a whole number that values gave.
func readWhole(v any) (n int64, ok bool) {
	text, isNumber := v.(collection.JSONNumber)
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, isNumber && err == nil
}
