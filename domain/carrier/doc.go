// Package carrier has what carriers and their files have in common: names of carriers, tracking numbers, and
// the columns of the files in which shops and carriers exchange them.
//
// # Names
//
// A carrier is found by its code or by the names that marketplaces, trackers and people use for it. Two of
// these are former company names: HYUNDAI is Lotte, KGB is Logen. Case, spaces and punctuation do not matter.
//
// # Tracking numbers
//
// A tracking number is stored as the carrier prints it, without the spaces and hyphens between its parts. The
// digit counts of the five Korean carriers are known, and any other count is refused: it comes from a typing
// mistake, the wrong carrier, or a leading zero that a spreadsheet dropped. If a carrier issues numbers of
// another form, an operator creates the fulfillment by hand.
//
// # Formulas
//
// A formula in a column that is imported is refused, in every format and whether or not the file stores its
// result, since the stored result may differ from what the sender saw.
//
// # Order numbers
//
// Order numbers are chosen by the shop, so they are looked up as written before other spellings are tried.
package carrier
