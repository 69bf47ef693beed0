package ast

// Nodes lists the kinds of nodes that stand behind the interfaces of the tree, as nil pointers.
func Nodes() []any {
	return []any{
		(*Bad)(nil), (*Header)(nil), (*Use)(nil), (*Option)(nil), (*Enum)(nil), (*Bonus)(nil), (*Role)(nil),
		(*Permission)(nil), (*Kind)(nil), (*FieldDecl)(nil), (*Template)(nil), (*Roll)(nil), (*RollClause)(nil),
		(*Stat)(nil), (*Term)(nil), (*View)(nil), (*Define)(nil), (*Table)(nil), (*RowClause)(nil), (*Resource)(nil),
		(*Effect)(nil), (*Procedure)(nil), (*Rule)(nil), (*Change)(nil), (*Tactics)(nil), (*Documentation)(nil),
		(*Modifier)(nil), (*Denied)(nil), (*Cannot)(nil), (*Must)(nil), (*Includes)(nil), (*Keep)(nil), (*Lasts)(nil),
		(*Step)(nil), (*Cost)(nil), (*Needs)(nil), (*Property)(nil), (*Way)(nil), (*Is)(nil), (*Has)(nil),
		(*Printed)(nil), (*Claim)(nil), (*Let)(nil), (*Set)(nil), (*If)(nil), (*ForEach)(nil), (*Repeat)(nil),
		(*Branch)(nil), (*Choose)(nil), (*Gain)(nil), (*May)(nil), (*ActsAt)(nil), (*Moves)(nil), (*Simple)(nil),
		(*Command)(nil), (*Side)(nil), (*Member)(nil), (*Follows)(nil), (*Map)(nil), (*LegendEntry)(nil), (*Given)(nil),
		(*Test)(nil), (*Scripted)(nil), (*Expect)(nil), (*Directive)(nil), (*Include)(nil), (*Scene)(nil),
		(*Choices)(nil), (*Divert)(nil), (*Finish)(nil), (*Alternation)(nil), (*Battle)(nil), (*Aftermath)(nil),
		(*BreakOff)(nil), (*Number)(nil), (*Quantity)(nil), (*Dice)(nil), (*String)(nil), (*Literal)(nil), (*Name)(nil),
		(*Field)(nil), (*Index)(nil), (*Call)(nil), (*Unary)(nil), (*Binary)(nil), (*IsTest)(nil), (*Within)(nil),
		(*Verdict)(nil), (*Cond)(nil), (*Quantified)(nil), (*RollExpr)(nil), (*Spent)(nil), (*List)(nil), (*Tuple)(nil),
		(*Paren)(nil), (*Plan)(nil), (*BadExpr)(nil),
	}
}
