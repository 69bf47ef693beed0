; Names first, then what is more than a name: of several matches the last one counts.

(name) @variable
(declaration keyword: (keyword) @_kind name: (path (name) @function .)
  (#any-of? @_kind "define" "procedure" "action" "rule" "reaction" "step" "override" "extend" "remove"))
(declaration keyword: (keyword) @_kind name: (path (name) @type .)
  (#any-of? @_kind "condition" "feat" "trait" "effect" "everyone" "kind" "enum" "tactics" "scene" "given" "side" "ruleset"))

; Words of the language that can also be names: they are words where a clause begins, or between other words.
((name) @keyword
  (#any-of? @keyword "begin" "next" "turn" "pass" "fight" "on" "place" "ground" "start" "take" "explain" "transcript" "expect" "refused" "told" "offered" "withheld" "finished"
    "seed" "dice" "answer" "note" "let" "set" "repeat" "case" "check" "chance" "choose" "gains" "loses" "may" "acts" "moves" "stop" "cancel" "default" "do" "quietly"
    "times" "becomes" "denied" "cannot" "must" "includes" "lasts" "cost" "needs" "follows" "include" "more" "choices" "go" "visit" "back" "again" "finish" "first" "sequence"
    "shuffle" "cycle" "map" "near" "extends" "without" "prefers" "starts" "ordered" "usually" "rolled" "vs" "dc" "opposed" "success" "failure" "descending" "sorted" "away" "toward"
    "leaving" "count" "sum" "highest" "lowest" "each" "pick" "no" "spent" "succeeds" "fails" "before" "after" "instead" "end" "least" "most" "once" "per" "printed" "plan" "battle" "hooks" "given" "says" "natural" "die" "roll" "stacks" "source" "fails" "scene" "by" "time"
    "ft" "feet" "foot" "mile" "miles" "square" "squares" "round" "rounds" "turns" "second" "seconds" "minute" "minutes" "hour" "hours" "day" "days" "week" "weeks" "lb" "cp" "sp" "gp" "mph" "credit" "credits"))
((name) @constant.builtin (#any-of? @constant.builtin "yes" "none" "self"))
; Behind a dot, every word is a name.
(path "." (name) @property)

(keyword) @keyword
(operator_word) @keyword
(operator) @operator
[(number) (dice)] @number
[(text) (text_block)] @string
(citation) @constant
(comment) @comment
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" ";" "."] @punctuation.delimiter
(bar) @punctuation.delimiter
