(declaration keyword: (keyword) @_kind name: (_) @name
  (#any-of? @_kind "define" "procedure" "action" "rule" "reaction")) @definition.function
(declaration keyword: (keyword) @_kind name: (_) @name
  (#any-of? @_kind "condition" "feat" "trait" "effect" "everyone" "kind" "enum" "tactics")) @definition.class
(declaration keyword: (keyword) @_kind name: (_) @name
  (#any-of? @_kind "stat" "view" "resource" "option" "table")) @definition.constant
