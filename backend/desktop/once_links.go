package desktop

import (
	"crypto/rand"
	"strings"
	"sync"
)

// OnceLinks are links that do something of the app's own, each once, such as to answer
// a request. Nobody can guess one: the secret in it is made for it alone, and is kept
// nowhere but here. Every other link of this kind is refused in the same words.
type OnceLinks struct {
	mu sync.Mutex
	do map[string]func() // by the secret
}

// OnceLink is how such a link begins.
const OnceLink = "voxpilot://answer/"

// Make makes a link that does something once, until void is called.
func (l *OnceLinks) Make(do func()) (link string, void func()) {
	secret := rand.Text() // of 130 bits
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

// Follow does what a link stands for, and says whether it did.
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
