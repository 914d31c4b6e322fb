// Package intake reads tables that are imported: which columns a file of each kind has, and what a row of it asks for.
//
// A column is known by its name in the API, or by its heading in English or Korean, whatever the case and the spaces are.
// Cells are text. A list is written with bars between its items, a pair as name=value; a bar, an equals sign or a backslash
// that is part of an item is written after a backslash. Amounts are in major units of their currency. A column that a file
// lacks leaves what is there; an empty cell clears, but for yes and no.
package intake
