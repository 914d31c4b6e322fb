// Package paper says what is on the documents that a shop prints: packing slips, labels of parcels, and invoices, in English
// and Korean. It has the words, not the layout. Rules: features/prints/RULES.md.
//
// An invoice is a statement of an order (in Korean 거래명세서). It is no tax invoice (세금계산서): those are numbered without gaps,
// and reported to the tax office by a program that does.
package paper

// Format is a size of paper, and how documents are laid on it.
type Format string

// The formats.
const (
	A4         Format = "a4"        // pages of 210 × 297 mm, as many as a document takes
	Label      Format = "100x150"   // a page of 100 × 150 mm for each document, as thermal printers take
	LabelSheet Format = "a4-labels" // A4 with eight documents in two columns and four rows
)

// LabelFormats are the sizes a label can have.
var LabelFormats = []string{string(Label), string(LabelSheet)}

// Document is what one document says, in the order in which it is read. Its texts are as people wrote them: of any length and
// in any characters.
type Document struct {
	Language Language
	Title    string   // what it is: "Invoice"; of a label the carrier
	Sender   string   // whose it is; not on labels, where it is one of the parties
	Logo     []byte   // of the sender, a PNG or JPEG file, in place of its name at the top; nil for none. Not on labels
	Mark     string   // what has to be seen first: "Canceled"; "" for nothing
	Facts    []Fact   // numbers and dates
	Barcode  string   // in a barcode as far as that can be scanned; "" for none
	Parties  []Block  // beside each other: who receives, who sends
	Columns  []Column // of Rows; nil for no table
	Rows     [][]Cell
	Totals   []Total
	Notes    []Block // below everything
}

// Fact is one thing to know.
type Fact struct{ Name, Value string }

// Block is lines of text under a title.
type Block struct {
	Title string
	Lines []string
}

// Column is a column of a table.
type Column struct {
	Title  string
	Weight float64 // its part of the width, relative to the other columns
	Number bool    // what is in it is aligned at its end
}

// Cell is a text in a table, with further lines that explain it.
type Cell struct {
	Text  string
	Small []string
}

// Total is an amount below a table.
type Total struct {
	Name, Amount string
	Strong       bool // a sum that others lead to
}
