// Package productsearch says what shoppers find products by: the terms of a product, what a text that somebody types asks for,
// and in which order what is found comes. It knows no database: an engine stores the terms of each Entry, and Match finds with the
// sets of products that the engine has for terms.
//
// What is tolerated, and how:
//
//   - Case, width and Unicode form: everything is folded (collection.Fold).
//   - Spaces: words of Korean, Japanese and Chinese are found by pairs of characters, as if they were written without spaces, so that
//     "무선이어폰" and "무선 이어폰" meet, and "티셔츠" is found in "반팔티셔츠". Neighboring words of other scripts stand joined beside
//     themselves: "sun glasses" meets "sunglasses".
//   - 초성: a word of nothing but initial consonants ("ㅇㅇㅍ") is found by those of the syllables.
//   - The keyboard: a word that stands nowhere is taken for what its keys write in the other layout ("xltucm" for 티셔츠, "ㅡㅕㅎ" for
//     mug), if that is found.
//   - Spelling: a word that stands nowhere is taken for the nearest words of names: one edit away from four letters on, two from eight on, a
//     swap of neighbors counting as one; letters of Korean are those of its syllables. The first letter has to be right.
//
// The order of what is found is that of its Levels, and within one of what is in stock before what is not, then of newer products
// before older ones. There are no scores: why a product stands where it does can be told in a sentence. Rules:
// features/search/RULES.md.
package productsearch
