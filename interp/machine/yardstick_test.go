package machine_test

// This file is the yardstick of speed: one attack written in plain Go, with the same named draws. It contains no rules
// and must not be changed, because the benchmarks report multiples of it.

type nativeFighter struct {
	id                                           uint64
	strength, dexterity, hitPoints, actions      int64
	baseAttack, armor, natural                   int64
	attackMods, armorMods, damageMods            []nativeModifier
	blows, confirms, harms                       uint32
	threat, multiplier, damageSides, damageBonus int64
	dying, disabled                              bool
}

type nativeModifier struct {
	value int64
	typ   int8
}

const nativeSeed = 7

// nativeFace computes the face of a named die as the machine's dice define it: the finalizer of splitmix64 over seed,
// roller and count, then over the label.
func nativeFace(who, label uint64, count uint32, sides int32) int64 {
	draw := nativeMix(nativeSeed + who*0xd1342543de82ef95 + uint64(count)*0xaef17502108ef2d9)
	draw = nativeMix((draw ^ label) + 0x9e3779b97f4a7c15)
	product := (draw >> 32) * uint64(sides)
	for rest := -uint32(sides) % uint32(sides); uint32(product) < rest; {
		draw = nativeMix(draw + 0x9e3779b97f4a7c15)
		product = (draw >> 32) * uint64(sides)
	}
	return int64(product>>32) + 1
}

func nativeMix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// nativeTotal adds up modifiers: of each type the highest bonus, and all penalties.
func nativeTotal(base int64, mods []nativeModifier) int64 {
	var best [8]int64
	for _, m := range mods {
		switch {
		case m.value < 0 || m.typ < 0:
			base += m.value
		case m.value > best[m.typ]:
			base += m.value - best[m.typ]
			best[m.typ] = m.value
		}
	}
	return base
}

func half(score int64) int64 { return (score - 10) >> 1 }

// nativeAttack makes an attack: the attack roll, confirmation, damage, and the effects of the damage.
func nativeAttack(a, b *nativeFighter, blow, confirm, harm uint64) bool {
	if a.actions < 1 || a.dying || a == b {
		return false
	}
	a.actions--
	bonus := nativeTotal(a.baseAttack+half(a.strength), a.attackMods)
	armor := nativeTotal(10+b.armor+b.natural+half(b.dexterity), b.armorMods)
	natural := nativeFace(a.id, blow, a.blows, 20)
	a.blows++
	if natural == 1 || natural != 20 && natural+bonus < armor {
		return true
	}
	critical := false
	if natural >= a.threat {
		again := nativeFace(a.id, confirm, a.confirms, 20)
		a.confirms++
		critical = again == 20 || again != 1 && again+bonus >= armor
	}
	times := int64(1)
	if critical {
		times = a.multiplier
	}
	damage := int64(0)
	for range times {
		damage += nativeFace(a.id, harm, a.harms, int32(a.damageSides)) + a.damageBonus
		a.harms++
	}
	damage = nativeTotal(damage, a.damageMods)
	b.hitPoints = max(b.hitPoints-max(damage, 1), -10)
	b.disabled = b.hitPoints == 0
	b.dying = b.hitPoints < 0
	return true
}
