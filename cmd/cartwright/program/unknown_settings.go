package program

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ownPrefix begins the names of our settings.
const ownPrefix = "CARTWRIGHT_"

// orchestratorVariable matches variables that an orchestrator sets for the address of a service called
// cartwright.
var orchestratorVariable = regexp.MustCompile(
	`^CARTWRIGHT(_[A-Z0-9]+)*_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT|PORT_[0-9]+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)$`)

// unknownSetting is a variable with our prefix that is not a setting.
type unknownSetting struct {
	name       string
	suggestion string // the setting that it probably misspells; "": none
}

// unknownSettings finds variables with our prefix that have no effect. Environ is as os.Environ returns it;
// values are ignored, as are the variables of orchestrators and of tests.
func unknownSettings(environ []string) (found []unknownSetting) {
	known := map[string]bool{}
	for _, s := range settings() {
		known[s.Name] = true
	}
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		upper := strings.ToUpper(name)
		if !strings.HasPrefix(upper, ownPrefix) || known[name] || orchestratorVariable.MatchString(name) ||
			strings.HasPrefix(name, "CARTWRIGHT_FEATURES_") {
			continue
		}
		found = append(found, unknownSetting{name, closestSetting(upper)})
	}
	return found
}

// closestSetting is the setting from which a name differs in at most a third of its letters, or "".
func closestSetting(name string) string {
	best, least := "", len(name[len(ownPrefix):])/3+1
	for _, s := range settings() {
		if d := editDistance(name, s.Name); d < least {
			best, least = s.Name, d
		}
	}
	return best
}

// editDistance is the number of letters to insert, delete or replace to turn a into b.
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

// String is the warning about it.
func (s unknownSetting) String() string {
	if s.suggestion == "" {
		return s.name + " is not a setting of this version and has no effect; cartwright config lists all settings."
	}
	return fmt.Sprintf("%s is not a setting; did you mean %s?", s.name, s.suggestion)
}

// configWithWarnings is loadConfig with a check for unknown settings: a misspelling ends a start in
// production, since the server might otherwise silently use an embedded database; anything else is a warning,
// since it may be for a newer version.
func (p process) configWithWarnings() (c Config, warnings []string, err error) {
	c, err = p.config()
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
