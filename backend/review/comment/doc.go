// Package comment stores the user's comments on lines of files and follows these lines through later versions of the
// files.
//
// Each comment is stored with the version of the file in which it was last found. Follow compares that version with the
// current one. It is conservative: it may report a comment as outdated although its lines still exist.
//
// The comparison starts with anchors: lines with enough text that occur exactly once in each version, apart from white
// space, and in the same order in both. If no equal lines connect an anchor to another one, it may be a copy whose
// original was changed. Such an anchor is used only to keep the comparison small. The lines between two anchors form a
// gap, and the best alignments of a gap determine the places of its lines. These are the alignments with the fewest
// changed lines and those with the fewest changed regions; both kinds must agree. When regions are counted, removing a
// line with enough text and writing it again costs more than a region, because that rarely happens. A comment has
// stayed if none of its lines with text is changed in any of these alignments (stayed). Its other lines, such as a
// brace or an empty line, may be changed in some alignments, for example if there is an equal line next to the comment.
//
// Lines that are no longer in order were moved if they belong to a suitable block of equal lines (moved). The block
// must be new in its new place and missing in its old one, and contain a line whose text is in no other such block. If
// lines close to the block are also equal but still in their old place, the block is part of a copy and wasn't moved.
// If several lines next to both places have also changed, the block must contain enough unique lines. If more than a
// 16th of the old lines are missing, the places of lines that have copies or could be in several places are Unsure.
//
// The text alone doesn't show whether a copy was inserted before or after the original, or whether a line was moved or
// was copied before the original was changed. Follow returns the place that requires the fewest changes, or the first
// of several such places. The model test (TestFollow_NeverOnWrongLines) accepts that place if the edits that it implies
// produce the same bytes with no more changes than were actually made.
package comment
