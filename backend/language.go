package backend

// InLanguage is what is said in a language: "en", "de" or "zh", as in
// Settings. In any other it is said in English.
func InLanguage[L ~string, W any](said map[L]W, language L) W {
	if w, ok := said[language]; ok {
		return w
	}
	return said["en"]
}
