package lint

import "arbiter/lang/ast"

// tailOf returns the conditions and citations at the end of a clause, nil if its kind has none.
func tailOf(n any) *ast.Tail {
	switch n := n.(type) {
	case *ast.Modifier:
		return &n.Tail
	case *ast.Denied:
		return &n.Tail
	case *ast.Cannot:
		return &n.Tail
	case *ast.Must:
		return &n.Tail
	case *ast.Includes:
		return &n.Tail
	case *ast.Keep:
		return &n.Tail
	case *ast.Lasts:
		return &n.Tail
	case *ast.Step:
		return &n.Tail
	case *ast.Cost:
		return &n.Tail
	case *ast.Needs:
		return &n.Tail
	case *ast.Property:
		return &n.Tail
	case *ast.Is:
		return &n.Tail
	case *ast.Has:
		return &n.Tail
	case *ast.Term:
		return &n.Tail
	case *ast.Rule:
		return &n.Tail
	case *ast.Let:
		return &n.Tail
	case *ast.Set:
		return &n.Tail
	case *ast.If:
		return &n.Tail
	case *ast.ForEach:
		return &n.Tail
	case *ast.Repeat:
		return &n.Tail
	case *ast.Branch:
		return &n.Tail
	case *ast.Choose:
		return &n.Tail
	case *ast.Choice:
		return &n.Tail
	case *ast.Gain:
		return &n.Tail
	case *ast.May:
		return &n.Tail
	case *ast.ActsAt:
		return &n.Tail
	case *ast.Moves:
		return &n.Tail
	case *ast.Simple:
		return &n.Tail
	case *ast.Command:
		return &n.Tail
	case *ast.Expect:
		return &n.Tail
	case *ast.Directive:
		return &n.Tail
	case *ast.StoryWay:
		return &n.Tail
	case *ast.Divert:
		return &n.Tail
	}
	return nil
}
