package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ownPrefix begins the names of our settings.
const ownPrefix = "CARTWRIGHT_"

// orchestratorVariable are the names that an orchestrator gives to the address of a service called cartwright.
var orchestratorVariable = regexp.MustCompile(`^CARTWRIGHT(_[A-Z0-9]+)*_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT|PORT_[0-9]+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)$`)

// unknownSetting is a variable with our prefix that is no setting.
type unknownSetting struct {
	name       string
	suggestion string // the setting that it is a misspelling of; "": of none
}

// unknownSettings finds what was set in vain. Environ is as os.Environ gives it; values are not looked at. Names that an
// orchestrator makes, and those that only tests read, are none.
func unknownSettings(environ []string) (found []unknownSetting) {
	known := map[string]bool{}
	for _, s := range settings() {
		known[s.Name] = true
	}
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		upper := strings.ToUpper(name)
		if !strings.HasPrefix(upper, ownPrefix) || known[name] || orchestratorVariable.MatchString(name) || strings.HasPrefix(name, "CARTWRIGHT_FEATURES_") {
			continue
		}
		found = append(found, unknownSetting{name, closestSetting(upper)})
	}
	return found
}

// closestSetting is the setting that a name is at most a third wrong of, or "".
func closestSetting(name string) string {
	best, least := "", len(name[len(ownPrefix):])/3+1
	for _, s := range settings() {
		if d := editDistance(name, s.Name); d < least {
			best, least = s.Name, d
		}
	}
	return best
}

// editDistance is how many letters have to be put in, left away, or replaced to make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// String is what is said about it.
func (s unknownSetting) String() string {
	if s.suggestion == "" {
		return s.name + " is not a setting of this version and has no effect; cartwright config lists all settings."
	}
	return fmt.Sprintf("%s is not a setting; did you mean %s?", s.name, s.suggestion)
}

// configWithWarnings is loadConfig with a look at what was set in vain: a misspelling ends a start in production, where it may be
// all that stands between the server and an embedded database; everything else is a warning, since it may be for a newer
// version.
func (p process) configWithWarnings() (c Config, warnings []string, err error) {
	c, err = loadConfig(p.getenv)
	var problems []error
	for _, s := range unknownSettings(p.environ) {
		if c.Mode == Production && s.suggestion != "" {
			problems = append(problems, problem(s.String()))
		} else {
			warnings = append(warnings, s.String())
		}
	}
	if len(problems) > 0 && err == nil {
		err = errMisconfigured
	}
	return c, warnings, errors.Join(append([]error{err}, problems...)...)
}
