package cluster

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"

	"arbiter/interp/piece"
)

// This file plays a share of the pieces of others again, to find those who count wrongly.

// check is a piece that is played here again.
type check struct {
	id, worker string
	order      order
	sum        string // of the result, as it was written
	wrong      bool
	err        error
}

// chosen draws whether a piece is verified, so that nobody can foresee it. It has no influence on any result.
func chosen(share float64) bool {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return float64(binary.LittleEndian.Uint64(b[:])>>11)/(1<<53) < share
}

// verify plays pieces again.
func (r *run) verify(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case k := <-r.checking:
			k.err = r.playAgain(ctx, &k)
			select {
			case r.checked <- k:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (r *run) playAgain(ctx context.Context, k *check) error {
	p, err := r.players.get(ctx, r.c, &k.order, r.o.Build)
	if err != nil {
		return err
	}
	defer r.players.put(&k.order, p)
	result, err := p.Play(k.order.Piece, func() bool { return ctx.Err() != nil })
	if err != nil {
		return err
	}
	text, err := result.Encode()
	if err != nil {
		return err
	}
	k.wrong = piece.HashOf(piece.Pack(text)) != k.sum
	return nil
}

// noteCheck takes the result of a verification.
func (r *run) noteCheck(ctx context.Context, k check) error {
	r.checks[k.order.Index]--
	switch {
	case ctx.Err() != nil:
		return nil
	case k.err != nil:
		return fmt.Errorf("a piece cannot be played here: %w", k.err)
	case !k.wrong:
		r.verified++
		return nil
	}
	r.verified++
	return r.distrust(ctx, k.worker, fmt.Sprintf("fights %d to %d of %s give other counts here", k.order.Piece.From+1, k.order.Piece.From+k.order.Piece.Count, r.Tasks[k.order.Index].Doc.Script), "")
}
