// Package backend defines VoxPilot's data model: chats, turns, transcript items, permission requests,
// connections, and the Event that carries each of them to the database and the window.
//
// It imports only the standard library, and every other package may import it. It contains no app
// logic.
//
// Conventions:
//
//   - IDs are strings created by NewID before the first event about an entity, so
//     every event is an upsert and can be applied twice.
//   - Times are Millis, milliseconds since the Unix epoch, UTC.
//   - Sizes and offsets are bytes of UTF-8.
//   - The text of transcript items is sent only as Text events. Tool output, diffs,
//     commands and images are sent only as Content events, without their bodies;
//     pages fetch the bodies by id and range.
package backend
