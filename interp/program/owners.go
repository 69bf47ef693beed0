package program

import "arbiter/interp/ir"

// OwnerKind says what declares a piece of code.
type OwnerKind uint8

const (
	NoOwner OwnerKind = iota // code of a script, or of something that has no code of its own otherwise
	ProcOwner
	RuleOwner
	PlanOwner
	StatOwner
	DefineOwner
	EffectOwner
	ResourceOwner
	TableOwner
	TacticsOwner
)

var ownerNames = [...]string{"script", "procedure", "rule", "plan", "stat", "define", "effect", "resource", "table", "tactics"}

func (k OwnerKind) String() string { return ownerNames[k] }

// Owner is the declaration that a chunk belongs to, as its index among those of its kind.
type Owner struct {
	Kind OwnerKind
	ID   int32
}

// Owners returns the declaration that each chunk belongs to, by the number of the chunk. Loose code has none.
func (p *Program) Owners() []Owner {
	list := make([]Owner, len(p.Chunks))
	add := func(o Owner, chunks ...int32) {
		for _, c := range chunks {
			if c >= 0 && int(c) < len(list) && list[c].Kind == NoOwner {
				list[c] = o
			}
		}
	}
	costs := func(o Owner, of []Cost) {
		for i := range of {
			add(o, of[i].Guard)
			for _, part := range of[i].Parts {
				add(o, part.Amount)
			}
		}
	}
	for i := range p.Procs {
		o, q := Owner{ProcOwner, int32(i)}, &p.Procs[i]
		add(o, q.Chunk, q.Legal, q.DefaultsChunk)
		add(o, q.Properties...)
		costs(o, q.Costs)
	}
	for i := range p.Rules {
		o, r := Owner{RuleOwner, int32(i)}, &p.Rules[i]
		add(o, r.Chunk, r.Guard, r.Legal, r.Default)
		costs(o, r.Costs)
	}
	for i := range p.Plans {
		add(Owner{PlanOwner, int32(i)}, p.Plans[i].Chunk)
	}
	for i := range p.Stats {
		o, st := Owner{StatOwner, int32(i)}, &p.Stats[i]
		add(o, st.TermsChunk)
		for k := range st.Terms {
			add(o, st.Terms[k].Chunk)
		}
		for k := range st.Mods {
			add(Owner{EffectOwner, st.Mods[k].Effect}, st.Mods[k].Chunk)
		}
		for k := range st.Denials {
			add(Owner{EffectOwner, st.Denials[k].Effect}, st.Denials[k].Guard)
		}
	}
	for i := range p.Defines {
		add(Owner{DefineOwner, int32(i)}, p.Defines[i].Chunk)
	}
	for i := range p.Effects {
		o, e := Owner{EffectOwner, int32(i)}, &p.Effects[i]
		add(o, e.Initial...)
		add(o, e.While, e.CaptureChunk, e.Musts.Chunk)
		for k := range e.Cannots {
			add(o, e.Cannots[k].Guard)
		}
	}
	for i := range p.Nodes {
		add(Owner{EffectOwner, p.Nodes[i].Effect}, p.Nodes[i].Guard)
	}
	for i := range p.Resources {
		r := &p.Resources[i]
		add(Owner{ResourceOwner, int32(i)}, r.LowChunk, r.HighChunk, r.InitialChunk)
	}
	for i := range p.Tables {
		for k := range p.Tables[i].Cells {
			add(Owner{TableOwner, int32(i)}, p.Tables[i].Cells[k].Chunk)
		}
	}
	for i := range p.Tactics {
		add(Owner{TacticsOwner, int32(i)}, p.Tactics[i].Chunk)
	}
	for i := range p.Ticks {
		add(Owner{RuleOwner, p.Ticks[i].Rule}, p.Ticks[i].Period)
	}
	for i := range p.Points {
		for _, x := range p.Points[i].Plans {
			add(Owner{PlanOwner, x.Plan}, x.Guard)
		}
	}
	return list
}

// NameOf returns the name of a declaration, "" if there is none.
func (p *Program) NameOf(o Owner) string {
	switch o.Kind {
	case ProcOwner:
		return p.Procs[o.ID].Name
	case RuleOwner:
		return p.Rules[o.ID].Name
	case PlanOwner:
		return p.Plans[o.ID].Name
	case StatOwner:
		return p.Stats[o.ID].Name
	case DefineOwner:
		return p.Defines[o.ID].Name
	case EffectOwner:
		return p.Effects[o.ID].Name
	case ResourceOwner:
		return p.Resources[o.ID].Name
	case TableOwner:
		return p.Tables[o.ID].Name
	case TacticsOwner:
		return p.Chunks[p.Tactics[o.ID].Chunk].Name
	}
	return ""
}

// StartOf returns where a declaration begins; its file is -1 if that is not known.
func (p *Program) StartOf(o Owner) ir.Pos {
	part, chunk := int32(-1), NoChunk
	switch o.Kind {
	case ProcOwner:
		part, chunk = p.Procs[o.ID].Part, p.Procs[o.ID].Chunk
	case RuleOwner:
		part, chunk = p.Rules[o.ID].Part, p.Rules[o.ID].Chunk
	case PlanOwner:
		chunk = p.Plans[o.ID].Chunk
	case StatOwner:
		part = p.Stats[o.ID].Part
	case DefineOwner:
		chunk = p.Defines[o.ID].Chunk
	case EffectOwner:
		part = p.Effects[o.ID].Part
	case ResourceOwner:
		for _, k := range []int32{p.Resources[o.ID].InitialChunk, p.Resources[o.ID].LowChunk, p.Resources[o.ID].HighChunk} {
			if k >= 0 {
				chunk = k
			}
		}
	case TableOwner:
		part = p.Tables[o.ID].Part
	case TacticsOwner:
		chunk = p.Tactics[o.ID].Chunk
	}
	if part >= 0 && int(part) < len(p.Parts) && p.Parts[part] != nil {
		return p.Parts[part].Pos
	}
	if chunk >= 0 {
		for pc := p.Chunks[chunk].Start; pc < p.Chunks[chunk].End; pc++ { // the first instructions may have no place
			if pos := p.Pos.Of(pc); pos.Span.Start.Line > 0 {
				return pos
			}
		}
	}
	return ir.Pos{File: -1}
}
