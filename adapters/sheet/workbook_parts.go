package sheet

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// How far a workbook is unpacked.
const (
	maxUnpacked = 128 << 20 // bytes of all parts
	maxEntries  = 1000
	maxLinks    = 1000 // sheets, and relationships of a part
)

// parts are the files of which a workbook is made, by name. Names are compared as Excel does: without case.
type parts map[string]*zip.File

func damaged(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF // nobody shall take it for the end of the rows
	}
	return ports.ErrSheet.Saying("The workbook is damaged, or is none. Open it in a spreadsheet program and save it again as XLSX.").Because(err)
}

// damage is err, unless it says by itself whose mistake it is: then the workbook is damaged.
func damage(err error) error {
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	if errors.Is(err, errToken) {
		return ports.ErrSheetSize.Saying("A text of the workbook has more than %d characters.", maxText)
	}
	return damaged(err)
}

// openParts looks at the table of contents before anything is unpacked. Whoever lies there is found out by the unpacker.
// Errors: ports.ErrSheet, ports.ErrSheetSize.
func openParts(a *aside) (parts, error) {
	z, err := zip.NewReader(a.file, a.size)
	if err != nil {
		return nil, damaged(err)
	}
	if len(z.File) > maxEntries {
		return nil, ports.ErrSheetSize.Saying("The workbook has too many parts. Copy the rows into a new one.")
	}
	all := make(parts, len(z.File))
	var unpacked uint64
	for _, part := range z.File {
		unpacked += part.UncompressedSize64
		if part.UncompressedSize64 > maxUnpacked || unpacked > maxUnpacked {
			return nil, ports.ErrSheetSize.Saying("The workbook unpacks to too much. Send its rows in parts, without pictures.")
		}
		all[partName(part.Name)] = part
	}
	return all, nil
}

func partName(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean(strings.ReplaceAll(name, "\\", "/")), "/"))
}

// open begins to unpack a part. Errors: ports.ErrSheet.
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

// walk hands every element of a part to see. Errors: ports.ErrSheet, ports.ErrSheetSize.
func (p parts) walk(name string, see func(xml.StartElement)) error {
	in, err := p.open(name)
	if err != nil {
		return err
	}
	t := newTags(in)
	for {
		token, err := t.next()
		if errors.Is(err, io.EOF) {
			return in.Close()
		}
		if err != nil {
			return errors.Join(damage(err), in.Close())
		}
		if e, ok := token.(xml.StartElement); ok {
			see(e)
		}
	}
}

// link is where a part leads to.
type link struct{ id, kind, target string }

// links are the relationships of a part; "" is the workbook as a whole. Errors: ports.ErrSheet, ports.ErrSheetSize.
func (p parts) links(of string) (all []link, err error) {
	dir, base := path.Split(of)
	err = p.walk(dir+"_rels/"+base+".rels", func(e xml.StartElement) {
		if e.Name.Local != "Relationship" || len(all) == maxLinks {
			return
		}
		target := attribute(e, "Target")
		if !strings.HasPrefix(target, "/") {
			target = path.Join(dir, target)
		}
		all = append(all, link{attribute(e, "Id"), path.Base(attribute(e, "Type")), target})
	})
	return all, err
}

// first is the part with the first sheet, and the one with the texts of its cells, "" where there is none. Errors:
// ports.ErrSheet, ports.ErrSheetSize.
func (p parts) first() (sheet, texts string, err error) {
	top, err := p.links("")
	if err != nil {
		return "", "", err
	}
	var book string
	for _, l := range top {
		if l.kind == "officeDocument" {
			book = l.target
		}
	}
	links, err := p.links(book)
	if err != nil {
		return "", "", err
	}
	sheets := map[string]string{}
	for _, l := range links {
		switch l.kind {
		case "worksheet":
			sheets[l.id] = l.target
		case "sharedStrings":
			texts = l.target
		}
	}
	err = p.walk(book, func(e xml.StartElement) {
		if e.Name.Local == "sheet" && sheet == "" {
			sheet = sheets[attribute(e, "id")]
		}
	})
	if err == nil && sheet == "" {
		err = ports.ErrSheet.Saying("The workbook has no sheet.")
	}
	return sheet, p.textsOr(texts, path.Dir(book)), err
}

// textsOr is the part with texts where it is named, else where it always is.
func (p parts) textsOr(named, dir string) string {
	usual := path.Join(dir, "sharedStrings.xml")
	if named == "" && p[partName(usual)] != nil {
		return usual
	}
	return named
}
