package program

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// setting is the tags of one field of Config:
//
//	env      the variable that sets it
//	doc      what it does: a sentence without a capital letter and a full stop
//	example  a value that works
//	section  begins a section of the reference with this heading
//	values   the allowed values, if they are a fixed set
//	schemes  the allowed schemes of a URL
//	need     "positive": greater than zero; other numbers are at least zero
//	hidden   "yes": the value may hold a secret and is never shown
type setting struct {
	Section string   `json:"section"`
	Name    string   `json:"name"`
	Doc     string   `json:"description"`
	Type    string   `json:"type"`
	Default string   `json:"default"`
	Example string   `json:"example"`
	Values  []string `json:"values,omitempty"`
	Schemes []string `json:"schemes,omitempty"`
	Secret  bool     `json:"secret"`

	field    int
	positive bool
}

// settings are all settings that variables set, in the order of Config.
func settings() []setting {
	given := reflect.ValueOf(defaults())
	var all []setting
	section := ""
	for i := range given.NumField() {
		f := given.Type().Field(i)
		tag := f.Tag.Get
		if tag("env") == "" {
			continue // no variable sets it
		}
		if tag("section") != "" {
			section = tag("section")
		}
		s := setting{
			Section: section, Name: tag("env"), Doc: tag("doc"), Type: typeOf(f.Type), Example: tag("example"),
			Values:  strings.Fields(tag("values")),
			Schemes: strings.Fields(tag("schemes")), Secret: tag("hidden") == "yes", field: i, positive: tag("need") == "positive",
		}
		if !given.Field(i).IsZero() || isNumeric(s.Type) {
			s.Default = formatValue(given.Field(i).Interface())
		}
		all = append(all, s)
	}
	return all
}

// The types of settings.
const (
	typeText     = "text"
	typeList     = "list"
	typeDuration = "duration"
	typeInteger  = "whole number"
	typeBool     = "true or false"
)

func isNumeric(kind string) bool { return kind == typeDuration || kind == typeInteger }

func typeOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return typeDuration
	case t.Kind() == reflect.Slice:
		return typeList
	case t.Kind() == reflect.Bool:
		return typeBool
	case t.Kind() == reflect.String:
		return typeText
	}
	return typeInteger
}

// formatValue formats a value as its variable holds it.
func formatValue(value any) string {
	if d, ok := value.(time.Duration); ok {
		text := d.String() // such as 1h0m0s
		for _, none := range []string{"m0s", "h0m"} {
			if strings.HasSuffix(text, none) {
				text = text[:len(text)-len(none)+1]
			}
		}
		return text
	}
	return fmt.Sprint(value)
}

// settingByField finds a setting by the name of its field.
func settingByField(field string) (setting, bool) {
	f, known := reflect.TypeFor[Config]().FieldByName(field)
	if !known {
		return setting{}, false
	}
	all := settings()
	if at := slices.IndexFunc(all, func(s setting) bool { return s.field == f.Index[0] }); at >= 0 {
		return all[at], true
	}
	return setting{}, false
}

// expectedFormat describes the format of a value.
func (s setting) expectedFormat() string {
	switch {
	case len(s.Values) > 0:
		return "one of " + strings.Join(s.Values, ", ")
	case s.Type == typeList:
		return "a comma-separated list, such as " + s.Example
	case s.Type == typeBool:
		return s.Type
	}
	return "a " + s.Type + " such as " + s.Example
}

func (c Config) value(s setting) any { return reflect.ValueOf(c).Field(s.field).Interface() }

// checkValues reports values outside of those allowed, or too small.
func (c Config) checkValues() (problems []error) {
	fields := reflect.ValueOf(c)
	for _, s := range settings() {
		switch f := fields.Field(s.field); {
		case len(s.Values) > 0:
			if v := f.String(); v != "" && !slices.Contains(s.Values, v) {
				problems = append(problems, problem(fmt.Sprintf("%s: %q is not one of %s.", s.Name, v, strings.Join(s.Values, ", "))))
			}
		case s.positive && (f.IsZero() || isNegative(f)):
			problems = append(problems, problem(s.Name+": must be greater than zero."))
		case isNegative(f):
			problems = append(problems, problem(s.Name+": must not be negative."))
		}
	}
	return problems
}

func isNegative(v reflect.Value) bool { return v.CanInt() && v.Int() < 0 }
