package spreadsheet

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"unicode/utf16"

	"github.com/cartwright-dev/cartwright/ports"
)

const (
	sheetPart   = "xl/worksheets/sheet1.xml"
	textColumns = "26" // that have the text format below the last row, too; each costs time with every cell
	xmlHead     = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	namespaces  = "http://schemas.openxmlformats.org/"
	mainNS      = namespaces + "spreadsheetml/2006/main"
	officeRel   = namespaces + "officeDocument/2006/relationships"
	packageRel  = namespaces + "package/2006/relationships"
	contentType = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// fixedParts are what a workbook with one sheet has besides it. Style 1 is format 49, text: what is typed stays as it is.
var fixedParts = []struct{ name, text string }{
	{"[Content_Types].xml", `<Types xmlns="` + namespaces + `package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + contentType + `sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + contentType + `styles+xml"/>` +
		`<Override PartName="/` + sheetPart + `" ContentType="` + contentType + `worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="` + packageRel + `">` +
		`<Relationship Id="rId1" Type="` + officeRel + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns="` + mainNS + `" xmlns:r="` + officeRel + `">` +
		`<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packageRel + `">` +
		`<Relationship Id="rId1" Type="` + officeRel + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + officeRel + `/styles" Target="styles.xml"/></Relationships>`},
	{"xl/styles.xml", `<styleSheet xmlns="` + mainNS + `">` +
		`<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`},
}

// workbookWriter writes a workbook with one sheet, row by row.
type workbookWriter struct {
	zip    *zip.Writer
	sheet  *bufio.Writer
	rows   int
	failed bool
}

func newWorkbookWriter(to io.Writer) (*workbookWriter, error) {
	w := &workbookWriter{zip: zip.NewWriter(to)}
	for _, p := range fixedParts {
		part, err := w.zip.Create(p.name)
		if err == nil {
			_, err = io.WriteString(part, xmlHead+p.text)
		}
		if err != nil {
			return nil, err
		}
	}
	part, err := w.zip.Create(sheetPart)
	if err != nil {
		return nil, err
	}
	w.sheet = bufio.NewWriter(part)
	_, err = w.sheet.WriteString(xmlHead + `<worksheet xmlns="` + mainNS + `"><cols><col min="1" max="` + textColumns +
		`" width="9.140625" style="1"/></cols><sheetData>`)
	return w, err
}

// WriteRow implements ports.SpreadsheetWriter.
func (w *workbookWriter) WriteRow(cells []string) (err error) {
	defer func() { w.failed = w.failed || err != nil }()
	if w.rows++; w.rows > maxRows {
		return ports.ErrSpreadsheetTooLarge.WithMessage("A sheet has at most %d rows.", maxRows)
	}
	row := strconv.Itoa(w.rows)
	_, _ = w.sheet.WriteString(`<row r="` + row + `">`) // a bufio.Writer keeps its first error for Flush
	for i, cell := range cells {
		if cell = escape(cell); excelLength(cell) > maxText {
			return ports.ErrSpreadsheetTooLarge.WithMessage(
				"A text in row %d has more than %d characters, which no cell of a workbook holds. Ask for CSV, or leave its column out.", w.rows, maxText)
		}
		_, _ = w.sheet.WriteString(`<c r="` + columnName(i) + row + `" s="1" t="inlineStr"><is><t xml:space="preserve">`)
		if err := xml.EscapeText(w.sheet, []byte(escapeCharacters(cell))); err != nil {
			return err
		}
		_, _ = w.sheet.WriteString("</t></is></c>")
	}
	_, err = w.sheet.WriteString("</row>")
	return err
}

// excelLength is the length of text as Excel counts it: characters beyond U+FFFF are two.
func excelLength(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Close implements ports.SpreadsheetWriter. A workbook that failed stays without its directory, so that nothing can read it.
func (w *workbookWriter) Close() error {
	if w.failed {
		return nil
	}
	_, _ = w.sheet.WriteString("</sheetData></worksheet>")
	return errors.Join(w.sheet.Flush(), w.zip.Close())
}
