// Package comment keeps the user's comments on lines of files and follows the lines through later versions.
//
// Each comment is stored with the version of the file in which it was last found. Follow compares that version with
// the current one. It is conservative: a comment may be shown as outdated although its lines exist.
//
// The comparison starts from anchors: lines with enough text that occur exactly once in both versions, apart from
// their white space, and are in the same order as each other. A single anchor, without another one in the same equal
// lines, may be a copy whose original was changed. It is only used to keep the comparison small. All other lines get
// their places from the gap between two anchors. Of all alignments of a gap, those with the fewest changed lines and
// those with the fewest changed regions must agree. In the latter, a line with text costs more than a region to remove
// and write again, because that rarely happens. A comment has stayed if none of its lines with text is changed in any
// of these alignments (stayed). Only lines such as a brace or an empty one may have been added or removed before or
// after the comment, where another equal one is.
//
// Lines that left their order were moved if they are part of a block of equal lines that is new in its place, missing
// in the old one, and holds a line whose text is in no other such block (moved). The block isn't a move if lines
// close to it are also equal and still in their old place: then it is a part of a copy. If other lines next to the block
// changed, too, in both places, the block needs unique lines. If more than a 16th of the old lines is gone, lines
// that could be in several places, or have copies, are unsure.
//
// The text alone can't tell a copy before the lines from one after them, or a line that was moved from one that was
// copied and then changed. Follow returns the place that takes the fewest changes, and the first of equal ones. The
// model test (TestFollow_NeverOnWrongLines) accepts it if the same bytes follow from it with no more changes than were
// made.
package comment
