package collection

import (
	"strconv"
	"strings"
)

// Selection selects fields of a record; nil selects all. The id is always included, also in array rows.
type Selection struct {
	Exclude bool                  // the named fields are left out; otherwise only they are included
	Fields  map[string]*Selection // by name, with the selection inside a group or array; nil for the whole field
}

// field reports whether a field is included, and the selection inside it.
func (s *Selection) field(name string) (below *Selection, shown bool) {
	if s == nil || name == "id" {
		return nil, true
	}
	below, named := s.Fields[name]
	if s.Exclude {
		return below, !named || below != nil
	}
	return below, named
}

// Within is the part of s that lies within the named top-level fields.
func (s *Selection) Within(names []string) *Selection {
	part := &Selection{Fields: map[string]*Selection{}}
	for _, name := range names {
		if below, shown := s.field(name); shown {
			part.Fields[name] = below
		}
	}
	return part
}

// shows reports whether a path such as "lines.3.variant" is included.
func (s *Selection) shows(path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		if _, err := strconv.Atoi(name); err == nil {
			continue // an index of a list
		}
		below, shown := s.field(name)
		if !shown {
			return false
		}
		if s = below; s == nil {
			return true
		}
	}
	return true
}

// Linked is what client keys and customers see of r in a record that refers to it: the id and the LinkedFields.
func (s *Schema) Linked(r Record) Record {
	part := Record{"id": r.ID()}
	for _, name := range s.Access.LinkedFields {
		if value, present := r[name]; present {
			part[name] = value
		}
	}
	return part
}

// FirstUnknown returns the dotted path of a field in s that schema does not have for viewer; "" when there is
// none.
func (s *Selection) FirstUnknown(schema *Schema, viewer Audience) string {
	if s == nil {
		return ""
	}
	return s.firstUnknown("", schema.AllFields(), viewer)
}

func (s *Selection) firstUnknown(at string, fields []Field, viewer Audience) string {
	for _, name := range sortedKeys(s.Fields) {
		f, ok := find(fields, name)
		if !ok || f.VisibleTo > viewer {
			return at + name
		}
		if below := s.Fields[name]; below != nil {
			if wrong := below.firstUnknown(at+name+".", f.Fields, viewer); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// VisibleLinks returns the links of r that sel includes.
func (s *Schema) VisibleLinks(r Record, sel *Selection) []Link {
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
