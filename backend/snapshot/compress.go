package snapshot

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

// inflaters is a pool of decompressing readers. Each of them needs more than 40 KB of memory.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(bytes.NewReader(nil)) }}

// inflate decompresses the data in stored. size is the size of the decompressed content in bytes. ok is false if the
// data is damaged.
func inflate(stored []byte, size int64) (content []byte, ok bool) {
	r, ok := inflaters.Get().(interface {
		io.Reader
		flate.Resetter
	})
	if !ok || r.Reset(bytes.NewReader(stored), nil) != nil {
		return nil, false
	}
	defer inflaters.Put(r)
	content = make([]byte, size)
	_, err := io.ReadFull(r, content)
	return content, err == nil
}

// deflaters is a pool of compressing writers. Each of them needs more than 600 KB of memory.
var deflaters = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed)
	return w
}}

// compress returns content in compressed form, or unchanged if compression doesn't make it much smaller.
func compress(content []byte) []byte {
	if len(content) > probe && len(deflate(content[:probe])) > probe*9/10 {
		return content
	}
	if small := deflate(content); len(small) < len(content)*9/10 {
		return small
	}
	return content
}

func deflate(content []byte) []byte {
	w, ok := deflaters.Get().(*flate.Writer)
	if !ok {
		return content
	}
	defer deflaters.Put(w)
	var b bytes.Buffer
	w.Reset(&b)
	_, _ = w.Write(content) // bytes.Buffer returns no errors
	_ = w.Close()
	return b.Bytes()
}
