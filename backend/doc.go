// Package backend holds the words of VoxPilot: what a chat, a turn, an item of
// the transcript, a permission request and a connection are, and the Event by
// which every one of them reaches the database and the window.
//
// It imports the standard library only and every other package may import it.
// Nothing here does work; the packages below it do.
//
// Conventions that hold for all of it:
//
//   - Ids are strings minted by NewID before the first event about a thing, so
//     every fact is an upsert and may be applied twice.
//   - Times are Millis, milliseconds since the Unix epoch, UTC.
//   - Sizes and offsets are bytes of UTF-8.
//   - Text that a person wrote or an agent said travels only as Text events;
//     bodies of tool output, diffs, commands and images travel only as Content
//     and are pulled by id and range.
package backend
