// The grammar of Arbiter for tree-sitter.
//
// It has the structure that editors need: clauses, their heads, names, blocks, brackets, texts. What a clause may say is
// the language server's business, so a clause is any sequence of operands, before each of which operators may stand.
// Where a line ends a clause is decided by src/scanner.c, by the rule of the language: not inside brackets, not behind
// an operator, and not before a word that cannot begin a clause.

// Words that cannot be names, and behind which a clause goes on.
const operators = ["and", "or", "not", "is", "has", "can", "in", "within", "otherwise", "if", "then", "else", "some", "every", "as", "where", "when", "unless", "while", "until",
  "against", "with", "by", "to", "from", "at", "about", "along", "upon", "beside", "using", "into", "for", "of", "over", "through", "avoiding"];

// Words that begin a clause which declares or changes something.
const declarations = ["ruleset", "encounter", "tests", "adventure", "use", "option", "enum", "bonus", "role", "permission", "kind", "roll", "stat", "view", "define", "table", "resource",
  "condition", "feat", "trait", "effect", "everyone", "procedure", "action", "rule", "reaction", "override", "extend", "remove", "tactics", "step", "keep", "side", "given", "test", "scene"];

module.exports = grammar({
  name: "arbiter",
  externals: $ => [$._line, $._error_sentinel],
  extras: $ => [/[ \t\r\n\uFEFF]/, $.comment],
  word: $ => $.name,

  rules: {
    source_file: $ => optional($._clauses),
    _clauses: $ => seq(repeat(";"), $._clause, repeat(seq($._end, $._clause)), optional($._end)),
    _end: $ => choice($._line, repeat1(";")),
    _clause: $ => choice($.declaration, $.clause),

    declaration: $ => prec.right(seq(
      field("keyword", alias(choice(...declarations), $.keyword)),
      optional(field("name", $._declared)),
      repeat($._element))),
    _declared: $ => prec(1, choice($.path, $.text)),
    clause: $ => prec.right(repeat1($._element)),

    _element: $ => choice($._operand, seq(repeat1($._operator), $._operand), $.citations),
    _operand: $ => choice($.path, $.number, $.dice, $.text, $.text_block, $.group, $.list, $.block, $.bar),
    _operator: $ => choice(
      alias(choice(...operators), $.operator_word),
      alias(choice("=", "<", ">", "<=", ">=", "!=", "+", "-", "*", "/"), $.operator),
      ",", ":"),

    path: $ => prec.right(seq($.name, repeat(seq(".", $.name)))),
    group: $ => seq("(", repeat($._element), ")", repeat(seq(".", $.name))),
    list: $ => seq("[", repeat($._element), "]", repeat(seq(".", $.name))),
    block: $ => seq("{", optional($._clauses), "}"),
    bar: _ => "|",

    citations: $ => prec.right(seq(alias("cite", $.keyword), $.citation, repeat(seq(",", $.citation)))),
    citation: $ => prec.right(seq($._id, optional(seq("to", alias($._ordinal, $.number))))),
    _id: _ => token(prec(2, /[A-Za-z][A-Za-z0-9-]*(\.[A-Za-z0-9-]+)+/)),
    _ordinal: _ => /[0-9]+/,

    name: _ => /[\p{L}][\p{L}\p{N}_]*(-[\p{L}\p{N}_]+)*/,
    number: _ => /[0-9]+%?/,
    dice: _ => token(prec(1, /[0-9]*d([0-9]+|%|F)([A-Za-z0-9!]|[<>=]+[-+]?[0-9])*/)),
    text: _ => token(/"([^"\\\n]|\\[^\n])*"/),
    text_block: _ => token(/"""([^"]|"[^"]|""[^"])*"""/),
    comment: _ => token(/#[^\n]*/),
  },
});
