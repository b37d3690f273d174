package tray

import "strconv"

// placesOf names the place of every entry of a menu whose places are fixed: one
// for each command, one for each of the first chats, and one for each thing that
// is only said. Lines are always there.
func placesOf(entries []Entry) []string {
	places := make([]string, len(entries))
	chats, part := 0, 0
	for i, e := range entries {
		switch {
		case e.Do == OpenChat:
			places[i] = "chat " + strconv.Itoa(chats)
			chats++
		case e.Do != "":
			places[i] = string(e.Do)
		case e.Label == "":
			part, chats = part+1, 0
			places[i] = "line " + strconv.Itoa(part)
		default: // the headline, what is left out of the chats, and Copilot
			places[i] = "part " + strconv.Itoa(part) + " " + strconv.FormatBool(chats > 0)
		}
	}
	return places
}
