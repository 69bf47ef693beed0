package program

import (
	"fmt"
	"strings"
)

// Disassemble prints a chunk and its instructions.
func (p *Program) Disassemble(chunk int) string {
	var b strings.Builder
	c := &p.Chunks[chunk]
	fmt.Fprintf(&b, "%s: chunk %d, %d registers, %d given\n", c.Name, chunk, c.Regs, c.Params)
	for pc := c.Start; pc < c.End; pc++ {
		in := p.Code[pc]
		fmt.Fprintf(&b, "%5d  %-12s", pc-c.Start, in.Op)
		for _, r := range []uint8{in.A, in.B, in.C} {
			if r == NoReg {
				b.WriteString("   _")
			} else {
				fmt.Fprintf(&b, "%4d", r)
			}
		}
		switch {
		case in.Op == OpJumpHas, in.Op == OpJumpHasNo:
			fmt.Fprintf(&b, "  -> %d  %s", in.D-c.Start, p.Effects[int(in.B)<<8|int(in.C)].Name)
		case in.Op == OpJumpAwaited:
			fmt.Fprintf(&b, "  -> %d  %s", in.D-c.Start, p.Points[int(in.B)<<8|int(in.C)].Name)
		case in.Op.Jumps():
			fmt.Fprintf(&b, "  -> %d", in.D-c.Start)
		default:
			b.WriteString(p.operand(in))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// operand names what D stands for.
func (p *Program) operand(in Instr) string {
	name := ""
	switch in.Op {
	case OpConst, OpReturnConst:
		return fmt.Sprintf("  %d", p.Consts[in.D])
	case OpGetStat:
		name = p.Stats[in.D].Name
	case OpStatOf:
		name = fmt.Sprintf("%d %d %s", in.D>>16&0xff, uint32(in.D)>>24, p.Stats[in.D&0xffff].Name)
	case OpApply, OpApply2:
		name = p.Defines[in.D].Name
	case OpApply3:
		name = fmt.Sprintf("%d %s", in.D>>16, p.Defines[in.D&0xffff].Name)
	case OpLookup:
		name = p.Tables[in.D].Name
	case OpHasAny, OpMemory, OpLoseEffect, OpSetMemory:
		name = p.Effects[in.D].Name
	case OpGainEffect:
		name = p.Effects[p.Gains[in.D].Effect].Name
	case OpCan:
		name = p.Permissions[in.D].Name
	case OpSpent, OpSetResource, OpGainAmount, OpLoseAmount, OpLoseAll:
		name = p.Resources[in.D].Name
	case OpCall, OpAllowed:
		name = p.Procs[in.D].Name
	case OpAt, OpInstead:
		name = p.Points[in.D].Name
	case OpRoll, OpAskMaster:
		name = p.Labels[in.D].Name
	case OpCheck, OpRollCheck, OpJudge, OpMakeOutcome:
		if in.D < 0 {
			return ""
		}
		name = p.Labels[p.Checks[in.D].Label].Name
	case OpNative, OpNative2:
		name = p.Natives[in.D]
	case OpHook, OpHookDo:
		name = p.Hooks[p.Sites[in.D].Hook].Name
	case OpCover:
		name = p.Parts[in.D].Path
	case OpFail, OpCancel:
		return fmt.Sprintf("  %q", p.Texts[in.D])
	}
	if name == "" {
		return fmt.Sprintf("  %d", in.D)
	}
	return "  " + name
}
