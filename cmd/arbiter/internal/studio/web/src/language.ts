// How the language looks before the language server has answered: comments, strings, numbers, and the word that begins a
// clause. What names mean, only the server knows: see tokens.ts.
import { StreamLanguage, type StreamParser } from "@codemirror/language";

interface State {
  inDoc: boolean; // in a string between three quotes
  begins: boolean; // a clause may begin here
}

const parser: StreamParser<State> = {
  name: "arbiter",
  startState: () => ({ inDoc: false, begins: true }),
  token(stream, state) {
    if (state.inDoc) {
      if (stream.skipTo('"""')) {
        stream.match('"""');
        state.inDoc = false;
      } else stream.skipToEnd();
      return "string";
    }
    if (stream.sol()) state.begins = true;
    if (stream.eatSpace()) return null;
    if (stream.eat("#")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match('"""')) {
      state.inDoc = true;
      return "string";
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^[0-9][\w-]*/)) return "number";
    if (stream.match(/^[A-Za-z][\w-]*/)) {
      const leads = state.begins;
      state.begins = false;
      return leads ? "keyword" : "variableName";
    }
    const c = stream.next();
    state.begins = c === "{" || c === ";";
    return c && "{}()[]".includes(c) ? "bracket" : null;
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
};

/** arbiter is the language of scripts. */
export const arbiter = StreamLanguage.define(parser);
