package report

import "slices"

// MaxLiveDays is how many days are added up from their facts in one report at most. It bounds what a report costs whose days
// were not added up before.
const MaxLiveDays = 62

// Progress is how far the figures of a shop were added up beforehand. Days are those of the shop's time zone.
type Progress struct {
	First Day   // the first day that may have facts; all before are empty
	Made  Day   // the days before this one were added up, and all months that ended before it
	Late  []Day // days before Made to which facts were added since, in any order
	Today Day   // no facts are later
}

// Unit is what a part of a plan is read from.
type Unit int

// The units.
const (
	Months Unit = iota // months that were added up
	Days               // days that were added up
	Facts              // what happened on the days themselves
)

// Part is the days from From up to, and without, Until. They are whole months where the unit is Months.
type Part struct {
	Unit        Unit
	From, Until Day
}

// Plan divides the days of p into parts, in their order, leaving out days without facts. With months, those that were added up
// as a whole are read as one. live is how many days are read from their facts.
func (f Progress) Plan(p Period, months bool) (parts []Part, live int) {
	late := slices.Clone(f.Late)
	slices.Sort(late)
	end := min(p.To, f.Today) + 1
	for d := max(p.From, f.First); d < end; {
		next := Part{Facts, d, d + 1}
		if d < f.Made && !has(late, d, d+1) {
			next.Unit = Days
		}
		if month := d.NextMonth(); months && d == d.Month() && month <= min(end, f.Made) && !has(late, d, month) {
			next = Part{Months, d, month}
		}
		d = next.Until
		if next.Unit == Facts {
			live++
		}
		if n := len(parts) - 1; n >= 0 && parts[n].Unit == next.Unit {
			parts[n].Until = next.Until
			continue
		}
		parts = append(parts, next)
	}
	return parts, live
}

// has reports whether one of sorted days is in from up to, and without, until.
func has(days []Day, from, until Day) bool {
	i, _ := slices.BinarySearch(days, from)
	return i < len(days) && days[i] < until
}

// Step is the next thing to add up: the day Day, if Has, and then the months of Months from its days. After it, all days before
// Made are added up.
type Step struct {
	Has    bool
	Day    Day
	Months []Day // their first days
	Made   Day
}

// Next is the step after all days before made were added up; ended is the first day that has not ended, and next the first day
// from made on that has facts, at most ended. ok is false when everything was added up.
func Next(made, next, ended Day) (s Step, ok bool) {
	if made >= ended {
		return Step{}, false
	}
	s = Step{Has: next == made, Day: made, Made: max(next, made+1)}
	if month := made.NextMonth(); month <= s.Made {
		s.Months = []Day{made.Month()} // in the months after it, up to next, nothing happened
	}
	return s, true
}
