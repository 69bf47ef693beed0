package build

import (
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/diag"
)

// maxNamedResources is how many resources a hint names.
const maxNamedResources = 4

// nameResources completes hints of the parser, which does not know the rules: where one says that an amount of some
// resource changes, it names those that there are.
func nameResources(list diag.List, rs *ir.Ruleset) {
	paid := map[*ir.Resource]bool{} // what actions cost is not what somebody loses
	for _, p := range rs.Procs {
		for _, a := range p.Costs {
			for _, part := range a.Parts {
				paid[part.Resource] = true
			}
		}
	}
	var names []string
	for _, r := range rs.Resources {
		if !r.Internal && !paid[r] && r.Part != nil && r.Part.Doc != "" && len(names) < maxNamedResources {
			names = append(names, "`"+r.Name+"`")
		}
	}
	if len(names) == 0 {
		return
	}
	for i := range list {
		if strings.Contains(list[i].Hint, " RESOURCE`") {
			list[i].Hint += "; a resource is " + strings.Join(names, ", ")
		}
	}
}
