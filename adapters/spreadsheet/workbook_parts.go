package spreadsheet

import (
	"archive/zip"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/cartwright-dev/cartwright/ports"
)

// Bounds of unpacking a workbook.
const (
	maxUnpacked   = 128 << 20 // bytes of all parts, and of the texts of all rows
	maxIndexBytes = 1 << 20   // bytes of a part that lists others
	maxEntries    = 1000
)

// sharedStringsPart is where the shared strings are if the workbook does not say.
const sharedStringsPart = "xl/sharedStrings.xml"

var errUnpackedSize = ports.ErrSpreadsheetTooLarge.WithMessage("The workbook is too large when unpacked. Split it, and remove pictures.")

// parts are the files in a workbook, by name. Names are compared without case, as in Excel.
type parts map[string]*zip.File

func damaged(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF // so that it is not mistaken for the end of the rows
	}
	return ports.ErrSpreadsheetUnreadable.WithMessage(
		"The file is not a valid workbook. Open it in a spreadsheet program and save it again as XLSX.").WithCause(err)
}

// openParts checks the directory of the archive before anything is unpacked; unpacking detects wrong sizes in
// it. Errors: ports.ErrSpreadsheetUnreadable, ports.ErrSpreadsheetTooLarge.
func openParts(a *tempFile) (parts, error) {
	z, err := zip.NewReader(a.file, a.size)
	if err != nil {
		return nil, damaged(err)
	}
	if len(z.File) > maxEntries {
		return nil, ports.ErrSpreadsheetTooLarge.WithMessage("The workbook has too many parts. Copy the rows into a new one.")
	}
	all := make(parts, len(z.File))
	var unpacked uint64
	for _, part := range z.File {
		unpacked += part.UncompressedSize64
		if part.UncompressedSize64 > maxUnpacked || unpacked > maxUnpacked {
			return nil, errUnpackedSize
		}
		all[partName(part.Name)] = part
	}
	return all, nil
}

func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean(strings.ReplaceAll(name, "\\", "/")), "/"))
}

// open starts unpacking a part. Errors: ports.ErrSpreadsheetUnreadable.
func (p parts) open(name string) (io.ReadCloser, error) {
	part, ok := p[partName(name)]
	if !ok {
		return nil, damaged(errors.New("sheet: the workbook lacks " + name))
	}
	in, err := part.Open()
	if err != nil {
		return nil, damaged(err)
	}
	return in, nil
}

// decodeXML decodes a part that lists others. Errors: ports.ErrSpreadsheetUnreadable,
// ports.ErrSpreadsheetTooLarge.
func (p parts) decodeXML(name string, into any) error {
	in, err := p.open(name)
	if err != nil {
		return err
	}
	if p[partName(name)].UncompressedSize64 > maxIndexBytes {
		return errors.Join(errUnpackedSize, in.Close())
	}
	if err := xml.NewDecoder(in).Decode(into); err != nil {
		return errors.Join(damaged(err), in.Close())
	}
	return in.Close()
}

// relationshipsPart is the part with the relationships of another part; "" is the workbook as a whole.
func relationshipsPart(part string) string {
	dir, base := path.Split(part)
	return dir + "_rels/" + base + ".rels"
}

// relationships are the targets of a part's relationships of one type, by id, and the last of them. Errors:
// ports.ErrSpreadsheetUnreadable, ports.ErrSpreadsheetTooLarge.
func (p parts) relationships(of, kind string) (targets map[string]string, last string, err error) {
	var found struct {
		Links []struct {
			ID     string `xml:"Id,attr"`
			Type   string `xml:"Type,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	err = p.decodeXML(relationshipsPart(of), &found)
	targets = map[string]string{}
	for _, l := range found.Links {
		if path.Base(l.Type) != kind {
			continue
		}
		if last = l.Target; !strings.HasPrefix(last, "/") {
			last = path.Join(path.Dir(of), last)
		}
		targets[l.ID] = last
	}
	return targets, last, err
}

// firstSheet is the part of the first sheet, and the one with the texts that its cells name, which may be missing. Errors:
// ports.ErrSpreadsheetUnreadable, ports.ErrSpreadsheetTooLarge.
func (p parts) firstSheet() (sheet, texts string, err error) {
	_, book, err := p.relationships("", "officeDocument")
	if err != nil {
		return "", "", err
	}
	var named struct {
		Sheets []struct {
			Link string `xml:"id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := p.decodeXML(book, &named); err != nil {
		return "", "", err
	}
	sheets, _, err := p.relationships(book, "worksheet")
	if err != nil {
		return "", "", err
	}
	_, texts, err = p.relationships(book, "sharedStrings")
	for _, s := range named.Sheets {
		if sheets[s.Link] != "" {
			return sheets[s.Link], cmp.Or(texts, sharedStringsPart), err
		}
	}
	return "", "", ports.ErrSpreadsheetUnreadable.WithMessage("The workbook has no sheet.")
}
