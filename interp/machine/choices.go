package machine

import (
	"slices"

	"arbiter/interp/program"
)

// This file lists what tactics would allow, beyond the first command that they choose.

// Choice is a command that a creature may choose.
type Choice struct {
	Proc int32
	Args []int64
}

// CommandsByTactics returns all commands of tactics whose conditions hold and that are legal now, in their order. If an
// effect leaves the creature a single command, it is that alone, and forced is set. Arguments that are lists stay in the
// state until the next command ends.
func (m *Machine) CommandsByTactics(who, tactics int32) (list []Choice, forced bool, err error) {
	if tactics < 0 || int(tactics) >= len(m.p.Tactics) {
		return nil, false, nil
	}
	_, err = m.readKeeping(func(top int) int64 {
		if proc := m.mustCommand(top, int64(who)); proc >= 0 {
			list, forced = []Choice{{int32(proc), slices.Clone(m.chosenArgs[1:])}}, true
		} else if m.err == nil {
			list = m.everyLegalOf(&m.p.Tactics[tactics], top, int64(who))
		}
		return 0
	})
	return list, forced, err
}

// everyLegalOf is firstLegalOf for all commands of tactics.
func (m *Machine) everyLegalOf(t *program.Tactics, top int, who int64) (list []Choice) {
	for i := 0; i < len(t.Commands) && m.err == nil; i++ {
		m.s.Budget = m.maxSteps()
		at := m.evalTactics(t, i, top, who, program.None)
		if at == program.None || m.err != nil {
			break
		}
		command := m.list(at)
		i = int(command[0])
		args := slices.Clone(command[1:])
		proc := t.Commands[i].Proc
		if m.isEntity(args[0]) && m.refusal(proc, m.putArgs(int32(args[0]), proc, args[1:], top), top) < 0 && m.err == nil {
			list = append(list, Choice{proc, args[1:]})
		}
	}
	return list
}
