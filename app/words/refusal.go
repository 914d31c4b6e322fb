package words

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/paper"
)

// What refusals say in Korean: by reason, with their facts in braces, and by the English sentence about an input. What varies in a
// sentence is {}, in the order of the English, or {1} and {2} where the words have another one. Reasons that programs meet rather than
// people end with {message}: the English sentence, if it says more than the reason.
var (
	reasons   = readOnce(&reasonsKorean)
	sentences = readOnce(&problemsKorean)
)

// Refusal is f with what it says to people in l; reason, paths and facts stay as they are.
func (l Language) Refusal(f *fault.Error) *fault.Error {
	if l != Korean {
		return f
	}
	told := *f
	told.Message = because(f.Reason, f.Message, f.Data)
	told.Fields = slices.Clone(f.Fields)
	for i := range told.Fields {
		// A refusal that names one input says the same about it as about the whole.
		if field := &told.Fields[i]; field.Message == f.Message {
			field.Message = told.Message
		} else {
			field.Message = l.Sentence(field.Message)
		}
	}
	return &told
}

// Because is why something was refused, where only the reason, the English sentence and the facts, if any, are known, as for a row of
// a file.
func (l Language) Because(reason, message string, facts map[string]any) string {
	if l != Korean {
		return message
	}
	return because(reason, message, facts)
}

// because tells a refusal. What is wrong with an input is said by the sentence about it alone, in English if it has no words: those of
// the reason would not say what is wrong. And a word that lacks a fact would have a hole.
func because(reason, message string, facts map[string]any) string {
	if reason == fault.ErrValidation.Reason && message != fault.ErrValidation.Message {
		return Korean.Sentence(message)
	}
	if reasonOf()[message] != reason { // it says more than the reason does
		if told, ok := worded(message); ok {
			return told
		}
	}
	if told, ok := ofReason(reason, message, facts); ok {
		return told
	}
	return Korean.Sentence(message)
}

// ofReason are the words of a reason. It is false where there are none, or a fact is missing.
func ofReason(reason, message string, facts map[string]any) (string, bool) {
	word, more := strings.CutSuffix(reasons()[reason], " {message}")
	if more && reasonOf()[message] != reason {
		return word + " " + message, true
	}
	return fill(word, facts)
}

// Sentence is a sentence about an input, such as `This field is required.`, in l. One that has no words stays as it is.
func (l Language) Sentence(english string) string {
	if l == Korean {
		if told, ok := translated(english); ok {
			return told
		}
	}
	return english
}

// worded finds a sentence as such, else as one in which something varies.
func worded(english string) (string, bool) {
	if told, ok := sentences()[english]; ok {
		return told, true
	}
	for _, t := range templates() {
		if found, ok := t.match(english); ok {
			return insert(t.word, found), true
		}
	}
	return "", false
}

// translated finds a sentence as worded does, else as that of a whole refusal.
func translated(english string) (string, bool) {
	if told, ok := worded(english); ok {
		return told, true
	}
	if told, ok := ofReason(reasonOf()[english], english, nil); ok {
		return told, true
	}
	// A sentence about a part is sometimes told with its path before it.
	if path, rest, ok := strings.Cut(english, ": "); ok && !strings.Contains(path, " ") {
		if told, ok := translated(rest); ok {
			return path + ": " + told, true
		}
	}
	return "", false
}

// reasonOf are the reasons of all refusals by their sentences: a record among several is refused by the sentence alone.
var reasonOf = sync.OnceValue(func() map[string]string {
	by := map[string]string{}
	for _, f := range fault.Declared() {
		by[f.Message] = f.Reason
	}
	return by
})

// fill puts facts in the place of their names. It is false for no word, and for a word of which a fact is missing.
func fill(word string, facts map[string]any) (string, bool) {
	var told strings.Builder
	for rest := word; ; {
		before, after, found := strings.Cut(rest, "{")
		told.WriteString(before)
		if !found {
			return told.String(), word != ""
		}
		name, behind, _ := strings.Cut(after, "}")
		fact, ok := shown(facts[name])
		if !ok {
			return "", false
		}
		told.WriteString(fact)
		rest = behind
	}
}

// shown is a fact as text: whole numbers have a comma between thousands. It is false for what is neither text nor number.
func shown(fact any) (string, bool) {
	switch fact := reply.Numerals(fact).(type) {
	case string:
		return fact, true
	case int64:
		return figures(strconv.FormatInt(fact, 10)), true
	case collection.JSONNumber:
		return figures(string(fact)), true
	}
	return "", false
}

// figures is a number in decimal notation, for people.
func figures(number string) string {
	digits, negative := strings.CutPrefix(number, "-")
	whole, fraction, broken := strings.Cut(digits, ".")
	text := paper.Grouped(whole)
	if negative {
		text = "-" + text
	}
	if broken {
		text += "." + fraction
	}
	return text
}
