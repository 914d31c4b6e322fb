package productsearch

import (
	"slices"
	"strings"
)

// keysOf are the letters of the Korean keyboard, by the keys that a Latin one has in their places.
var keysOf = map[rune]rune{
	'q': 'ㅂ', 'w': 'ㅈ', 'e': 'ㄷ', 'r': 'ㄱ', 't': 'ㅅ', 'y': 'ㅛ', 'u': 'ㅕ', 'i': 'ㅑ', 'o': 'ㅐ', 'p': 'ㅔ', 'a': 'ㅁ', 's': 'ㄴ', 'd': 'ㅇ',
	'f': 'ㄹ', 'g': 'ㅎ', 'h': 'ㅗ', 'j': 'ㅓ', 'k': 'ㅏ', 'l': 'ㅣ', 'z': 'ㅋ', 'x': 'ㅌ', 'c': 'ㅊ', 'v': 'ㅍ', 'b': 'ㅠ', 'n': 'ㅜ', 'm': 'ㅡ',
	'Q': 'ㅃ', 'W': 'ㅉ', 'E': 'ㄸ', 'R': 'ㄲ', 'T': 'ㅆ', 'O': 'ㅒ', 'P': 'ㅖ',
}

// latinOf are the keys of letters, lower case.
var latinOf = func() map[rune]rune {
	keys := map[rune]rune{}
	for key, letter := range keysOf {
		keys[letter] = []rune(strings.ToLower(string(key)))[0]
	}
	return keys
}()

// Turned is what the keys with which a word was typed write in the other layout: Korean for Latin letters, and the other way
// round. "" where it has other characters, or would be no word.
func Turned(word string) string {
	var latin, korean strings.Builder
	for _, r := range word {
		letter, isKey := keysOf[r]
		if !isKey {
			letter, isKey = keysOf[r|0x20]
		}
		if isKey && r < 0x80 {
			korean.WriteRune(letter)
			continue
		}
		for _, one := range lettersOf(string(r)) {
			key := latinOf[one]
			if key == 0 {
				return ""
			}
			latin.WriteRune(key)
		}
	}
	switch {
	case korean.Len() == 0:
		return latin.String()
	case latin.Len() == 0:
		return composed(korean.String())
	}
	return ""
}

// together are letters that two keys make.
var together = func() map[[2]rune]rune {
	all := map[[2]rune]rune{}
	for _, letter := range append(slices.Clone(finalLetters[1:]), vowelLetters...) {
		if two := []rune(apart.Replace(string(letter))); len(two) == 2 {
			all[[2]rune(two)] = letter
		}
	}
	return all
}()

// composed are typed letters as syllables; "" if they are not all parts of some.
func composed(typed string) string {
	letters := []rune(typed)
	var out strings.Builder
	for len(letters) > 0 {
		syllable, used := composeOne(letters)
		if used == 0 {
			return ""
		}
		out.WriteRune(syllable)
		letters = letters[used:]
	}
	return out.String()
}

// composeOne is the syllable that letters begin with, and of how many it is; 0: they begin with none.
func composeOne(letters []rune) (syllable rune, used int) {
	initial := slices.Index(initialLetters, letters[0])
	if initial < 0 || len(letters) < 2 || !isVowel(letters[1]) {
		return 0, 0
	}
	vowel, used := letters[1], 2
	if used < len(letters) && together[[2]rune{vowel, letters[used]}] != 0 && isVowel(letters[used]) {
		vowel, used = together[[2]rune{vowel, letters[used]}], used+1
	}
	final, used := finalOf(letters, used)
	v := slices.Index(vowelLetters, vowel)
	if v < 0 {
		return 0, 0
	}
	return firstSyllable + rune(initial*perInitial+v*finals+final), used //nolint:gosec // one of 11,172 syllables
}

// finalOf is the number of the final consonant at letters[at:], and where the syllable ends with it. A consonant before a vowel
// begins the next syllable.
func finalOf(letters []rune, at int) (final, end int) {
	isFree := func(i int) bool { // letters[i] is a consonant that no vowel follows
		return i < len(letters) && isConsonant(letters[i]) && (i+1 == len(letters) || !isVowel(letters[i+1]))
	}
	if !isFree(at) {
		return 0, at
	}
	if isFree(at + 1) {
		if n := slices.Index(finalLetters, together[[2]rune{letters[at], letters[at+1]}]); n > 0 {
			return n, at + 2
		}
	}
	if n := slices.Index(finalLetters, letters[at]); n > 0 {
		return n, at + 1
	}
	return 0, at
}
