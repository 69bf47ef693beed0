package snapshot_test

import (
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// FuzzRead reads snapshots whose contents were changed, with the right checksum: that is either an error, or a graph
// that can be walked.
func FuzzRead(f *testing.F) {
	t := &testing.T{}
	form := format(t)
	b, err := form.Write(sample())
	if err != nil {
		f.Fatal(err)
	}
	const fixed = len("snapshot 1\n") + 32
	head, body := b[:fixed], b[fixed+12:]
	f.Add(body)
	f.Add(body[:len(body)/2])
	f.Fuzz(func(t *testing.T, body []byte) {
		b := append([]byte(nil), head...)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(body)))
		b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
		x, complete, err := form.Read(append(b, body...))
		if err != nil {
			return
		}
		complete()
		seen := map[*node]bool{}
		for queue := []*node{x}; len(queue) > 0; queue = queue[1:] {
			n := queue[0]
			if n == nil || seen[n] {
				continue
			}
			seen[n] = true
			queue = append(append(queue, n.next, n.body), n.kids...)
			for name, m := range n.byName {
				_, queue = len(name), append(queue, m)
			}
			for m := range n.byNode {
				queue = append(queue, m)
			}
			if m, ok := n.anyway.(*node); ok {
				queue = append(queue, m)
			}
			for _, w := range append(n.weights, n.window...) {
				_ = w
			}
		}
	})
}
