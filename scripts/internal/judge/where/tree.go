package where

import (
	"cmp"
	"slices"
	"strings"
)

// A Node is a function as the functions around it called it. Times are those of a request in microseconds, with all that it calls, and
// means of the rounds.
type Node struct {
	Name       string
	Base, Head float64
	Below      []Node // by name, so that base and head have one order
}

// Tree merges the stacks of all rounds. The root is a whole request.
func Tree(rounds []Round) Node {
	root := Node{}
	for _, r := range rounds {
		for side, p := range []Profile{r.Base, r.Head} {
			if p.Requests < 1 {
				continue
			}
			for stack, n := range p.Stacks {
				us := float64(n) * p.PeriodUS / float64(p.Requests) / float64(len(rounds))
				root.add(strings.Split(stack, ";"), side, us)
			}
		}
	}
	root.sort()
	return root
}

func (n *Node) add(functions []string, side int, us float64) {
	if side == 0 {
		n.Base += us
	} else {
		n.Head += us
	}
	if len(functions) == 0 {
		return
	}
	i := slices.IndexFunc(n.Below, func(b Node) bool { return b.Name == functions[0] })
	if i < 0 {
		i, n.Below = len(n.Below), append(n.Below, Node{Name: functions[0]})
	}
	n.Below[i].add(functions[1:], side, us)
}

func (n *Node) sort() {
	slices.SortFunc(n.Below, func(a, b Node) int { return cmp.Compare(a.Name, b.Name) })
	for i := range n.Below {
		n.Below[i].sort()
	}
}
