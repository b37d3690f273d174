package desktop

import (
	"crypto/rand"
	"strings"
	"sync"
)

// OnceLinks holds single-use links for app actions, such as answering a request. The links can't be guessed: each
// contains a random secret that is stored only in the OnceLinks.
type OnceLinks struct {
	mu sync.Mutex
	do map[string]func() // by secret
}

// OnceLink is the prefix of single-use links.
const OnceLink = "voxpilot://answer/"

// Make returns a link that can be followed once. The function do is called when the user follows the link. The returned
// function makes the link invalid.
func (l *OnceLinks) Make(do func()) (link string, void func()) {
	secret := rand.Text() // 130 bits
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.do == nil {
		l.do = map[string]func(){}
	}
	l.do[secret] = do
	return OnceLink + secret, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.do, secret)
	}
}

// Follow performs a link's action and reports whether the link was valid. It doesn't reveal why a link
// is invalid.
func (l *OnceLinks) Follow(link string) bool {
	secret, ok := strings.CutPrefix(link, OnceLink)
	if !ok {
		return false
	}
	l.mu.Lock()
	do := l.do[secret]
	delete(l.do, secret)
	l.mu.Unlock()
	if do == nil {
		return false
	}
	do()
	return true
}
