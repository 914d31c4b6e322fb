package collection

import (
	"strconv"
	"strings"
)

// Selection says which fields of a record are shown; nil shows all. The id, also that of array rows, always is.
type Selection struct {
	Except bool                  // the named fields are left out; else only they are shown
	Fields map[string]*Selection // by name; what of a group or array is named, nil for the whole field
}

// of says whether the field is shown, and what of it.
func (s *Selection) of(name string) (below *Selection, shown bool) {
	if s == nil || name == "id" {
		return nil, true
	}
	below, named := s.Fields[name]
	if s.Except {
		return below, !named || below != nil
	}
	return below, named
}

// shows reports whether what stands at path, such as "lines.3.variant", is shown.
func (s *Selection) shows(path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		if _, err := strconv.Atoi(name); err == nil {
			continue // the position in a list
		}
		below, shown := s.of(name)
		if !shown {
			return false
		}
		if s = below; s == nil {
			return true
		}
	}
	return true
}

// Check finds a name in s that schema does not show to viewer, as a dotted path; "" when there is none.
func (s *Selection) Check(schema *Schema, viewer Audience) string {
	if s == nil {
		return ""
	}
	return s.unknown("", schema.All(), viewer)
}

func (s *Selection) unknown(at string, fields []Field, viewer Audience) string {
	for _, name := range sortedKeys(s.Fields) {
		f, ok := find(fields, name)
		if !ok || f.Read > viewer {
			return at + name
		}
		if below := s.Fields[name]; below != nil {
			if wrong := below.unknown(at+name+".", f.Fields, viewer); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// LinksShown is Links of r without those that s does not show.
func (s *Schema) LinksShown(r Record, sel *Selection) []Link {
	links := s.Links(r)
	if sel == nil {
		return links
	}
	shown := links[:0]
	for _, l := range links {
		if sel.shows(l.Path) {
			shown = append(shown, l)
		}
	}
	return shown
}
