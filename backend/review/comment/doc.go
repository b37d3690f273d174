// Package comment keeps the user's comments on lines of files and follows the lines through later versions.
//
// Each comment is stored with the version of the file in which it was last found. Follow compares that version with
// the current one. It is conservative: the result is a place only if the place is likely to be right, so a
// comment may be shown as outdated although its lines exist. The model test still finds a comment on wrong lines in
// about one of 60,000 places, after several copies and deletions between two versions.
//
// The comparison starts from anchors: lines with enough text that occur exactly once in both versions, apart from
// their white space. Such a line isn't written twice by chance, so an anchor is the same line, or a copy of it whose
// original is missing. The latter can't be told from the text: copying lines and deleting the original leaves the
// same bytes as moving them. All other lines get their place from the gap between two anchors. Of all alignments of
// the gap, those with the fewest changed lines and those with the fewest changed regions must agree on the line, in
// both directions. This excludes changes that can slide along equal lines, such as a block that was inserted before
// or after a line that is equal to its own last line, and lines such as a brace between two changes. If another
// history of the file puts the line in another place, it has more changes than the one that was found.
//
// Copies are the remaining danger: a line of a copy becomes an anchor when the original is changed. A line with text
// whose number of occurrences has changed is the trace of a copy. Close to a trace, a comment keeps its place only if
// its run, the equal lines around it, reaches further than that of the other copy (isOriginal). Lines that were moved
// must be between two anchors that moved with them, without a trace and without a line that has stayed (hasStayed).
package comment
