package productsearch

import "strings"

// The syllables of Unicode: each is an initial consonant, a vowel and a final consonant or none.
const (
	firstSyllable = 0xAC00
	lastSyllable  = 0xD7A3
	vowels        = 21
	finals        = 28
	perInitial    = vowels * finals
)

// The letters of the parts of a syllable, in the order of Unicode; those of the keyboard stand in keysOf.
var (
	initialLetters = []rune("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
	vowelLetters   = []rune("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ")
	finalLetters   = []rune("\x00ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
)

// plain are the double consonants, which people type as single ones when they type initials.
var plain = strings.NewReplacer("ㄲ", "ㄱ", "ㄸ", "ㄷ", "ㅃ", "ㅂ", "ㅆ", "ㅅ", "ㅉ", "ㅈ")

// apart are the letters that are typed with two keys.
var apart = strings.NewReplacer(
	"ㄳ", "ㄱㅅ", "ㄵ", "ㄴㅈ", "ㄶ", "ㄴㅎ", "ㄺ", "ㄹㄱ", "ㄻ", "ㄹㅁ", "ㄼ", "ㄹㅂ", "ㄽ", "ㄹㅅ", "ㄾ", "ㄹㅌ", "ㄿ", "ㄹㅍ", "ㅀ", "ㄹㅎ", "ㅄ", "ㅂㅅ",
	"ㅘ", "ㅗㅏ", "ㅙ", "ㅗㅐ", "ㅚ", "ㅗㅣ", "ㅝ", "ㅜㅓ", "ㅞ", "ㅜㅔ", "ㅟ", "ㅜㅣ", "ㅢ", "ㅡㅣ",
)

func isSyllable(r rune) bool { return r >= firstSyllable && r <= lastSyllable }

// isConsonant and isVowel are about letters that stand alone, as a keyboard writes them.
func isConsonant(r rune) bool { return r >= 'ㄱ' && r <= 'ㅎ' }
func isVowel(r rune) bool     { return r >= 'ㅏ' && r <= 'ㅣ' }

// initialOf is the initial consonant of a syllable.
func initialOf(syllable rune) rune { return initialLetters[(syllable-firstSyllable)/perInitial] }

// initialsOf are the initial consonants of a word of syllables, doubles as single ones; "" if something else is in it.
func initialsOf(word string) string {
	var b strings.Builder
	for _, r := range word {
		if !isSyllable(r) {
			return ""
		}
		b.WriteRune(initialOf(r))
	}
	return plain.Replace(b.String())
}

// areInitials reports whether a word is nothing but consonants.
func areInitials(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !isConsonant(r) })
}

// lettersOf are the letters of a word, those of syllables one by one, as they are typed.
func lettersOf(word string) string { return string(appendLetters(nil, word)) }

// appendLetters appends the letters of a word.
func appendLetters(letters []rune, word string) []rune {
	for _, r := range word {
		if !isSyllable(r) {
			letters = appendTyped(letters, r)
			continue
		}
		i := r - firstSyllable
		letters = appendTyped(letters, initialLetters[i/perInitial])
		letters = appendTyped(letters, vowelLetters[i%perInitial/finals])
		if final := i % finals; final > 0 {
			letters = appendTyped(letters, finalLetters[final])
		}
	}
	return letters
}

// appendTyped appends a letter, or the two keys that it is typed with.
func appendTyped(letters []rune, r rune) []rune {
	if r < firstLetter || r > lastLetter {
		return append(letters, r)
	}
	return append(letters, typedWith[r-firstLetter]...)
}

// The letters of Korean as keys write them.
const firstLetter, lastLetter = 'ㄱ', 'ㅣ'

// typedWith are the keys of each letter: a look-up in a map would take most of the time of Near.
var typedWith = func() (all [lastLetter - firstLetter + 1][]rune) {
	for i := range all {
		all[i] = []rune(apart.Replace(string(firstLetter + rune(i))))
	}
	return all
}()

// sameInitial are the first and the last syllable that begin as r does.
func sameInitial(r rune) (from, to string) {
	first := firstSyllable + (r-firstSyllable)/perInitial*perInitial
	return string(first), string(first + perInitial - 1)
}
