// Where a line ends a clause: see lang/parse/lines.go, of which this is the part that looks ahead.

#include "tree_sitter/parser.h"
#include <string.h>

enum { LINE, ERROR_SENTINEL };

#define LONGEST 12 // bytes of the words below

static bool letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80; }
static bool digit(int32_t c) { return c >= '0' && c <= '9'; }

// listed reports whether a word is in a list that ends with NULL.
static bool listed(const char *word, const char *const *list) {
  for (; *list; list++)
    if (!strcmp(word, *list)) return true;
  return false;
}

static const char *const joins[] = {"and", "or", "when", "unless", "where", "else", "in", "within", "can", "succeeds", "fails", "as",
  "against", "with", "by", "to", "from", "at", "about", "along", "upon", "beside", "using", "into", "of", "over", "through", "avoiding", NULL};
static const char *const heads[] = {"until", "while", "leaving", "extends", "prefers", "without", "vs", "dc", "starts", "away", "toward", "ordered", NULL};

// read_word reads a word, cut to LONGEST bytes.
static void read_word(TSLexer *lexer, char *word) {
  int n = 0;
  while (letter(lexer->lookahead) || digit(lexer->lookahead) || lexer->lookahead == '-' || lexer->lookahead == '_') {
    if (n < LONGEST) word[n++] = lexer->lookahead < 0x80 ? (char)lexer->lookahead : '?';
    lexer->advance(lexer, false);
  }
  word[n] = 0;
}

static void spaces(TSLexer *lexer) {
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r') lexer->advance(lexer, false);
}

// blanks passes white space and comments, and reports whether a line ended.
static bool blanks(TSLexer *lexer) {
  bool line = false;
  for (;;) {
    spaces(lexer);
    if (lexer->lookahead == '#') {
      while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
    } else if (lexer->lookahead == '\n') {
      line = true;
      lexer->advance(lexer, false);
    } else {
      return line;
    }
  }
}

// follows_word reports whether the next word is a certain one.
static bool follows_word(TSLexer *lexer, const char *wanted) {
  char word[LONGEST + 1];
  read_word(lexer, word);
  return !strcmp(word, wanted);
}

// begins_clause reports whether the next token can begin a clause.
static bool begins_clause(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  if (lexer->eof(lexer) || c == '}') return false; // nothing is left to separate
  if (c == '+' || c == '-' || c == '(' || c == '[' || c == '|' || c == '"' || digit(c)) return true;
  if (!letter(c)) return false;
  char word[LONGEST + 1];
  read_word(lexer, word);
  spaces(lexer);
  c = lexer->lookahead;
  if (listed(word, joins)) return c == ':';
  if (listed(word, heads)) return c == ':' || c == '.';
  if (!strcmp(word, "for")) return c == ':' || follows_word(lexer, "each");
  if (!strcmp(word, "sorted") || !strcmp(word, "opposed")) return !follows_word(lexer, "by");
  if (!strcmp(word, "rolled")) return !follows_word(lexer, "as");
  if (!strcmp(word, "once")) return !follows_word(lexer, "per");
  if (!strcmp(word, "language")) return !digit(c);
  if (!strcmp(word, "otherwise") || !strcmp(word, "then")) {
    if (c == ':') return true;
    blanks(lexer);
    return lexer->lookahead == '{';
  }
  return true;
}

void *tree_sitter_arbiter_external_scanner_create(void) { return NULL; }
void tree_sitter_arbiter_external_scanner_destroy(void *scanner) { (void)scanner; }
unsigned tree_sitter_arbiter_external_scanner_serialize(void *scanner, char *buffer) { (void)scanner; (void)buffer; return 0; }
void tree_sitter_arbiter_external_scanner_deserialize(void *scanner, const char *buffer, unsigned length) { (void)scanner; (void)buffer; (void)length; }

bool tree_sitter_arbiter_external_scanner_scan(void *scanner, TSLexer *lexer, const bool *valid_symbols) {
  (void)scanner;
  if (!valid_symbols[LINE] || valid_symbols[ERROR_SENTINEL]) return false;
  lexer->mark_end(lexer);
  if (!blanks(lexer) || !begins_clause(lexer)) return false;
  lexer->result_symbol = LINE;
  return true;
}
