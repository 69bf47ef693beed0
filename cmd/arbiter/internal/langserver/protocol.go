package langserver

// This file is the part of the Language Server Protocol 3.17 that the server supports. The protocol names the fields.

// position is a line from 0 and a character from 0, in the units that were negotiated (see encoding).
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// span is from Start up to, not including, End.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

// --- the beginning ---------------------------------------------------------------------------------------

type initializeParams struct {
	Capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
	} `json:"capabilities"`
}

type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   serverInfo   `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type capabilities struct {
	PositionEncoding           string                `json:"positionEncoding"`
	TextDocumentSync           textDocumentSync      `json:"textDocumentSync"`
	HoverProvider              bool                  `json:"hoverProvider"`
	DefinitionProvider         bool                  `json:"definitionProvider"`
	ReferencesProvider         bool                  `json:"referencesProvider"`
	DocumentHighlightProvider  bool                  `json:"documentHighlightProvider"`
	DocumentSymbolProvider     bool                  `json:"documentSymbolProvider"`
	FoldingRangeProvider       bool                  `json:"foldingRangeProvider"`
	WorkspaceSymbolProvider    bool                  `json:"workspaceSymbolProvider"`
	DocumentFormattingProvider bool                  `json:"documentFormattingProvider"`
	RenameProvider             renameOptions         `json:"renameProvider"`
	CodeActionProvider         codeActionOptions     `json:"codeActionProvider"`
	CompletionProvider         completionOptions     `json:"completionProvider"`
	SemanticTokensProvider     semanticTokensOptions `json:"semanticTokensProvider"`
}

type textDocumentSync struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"` // 1: the full text each time
	Save      bool `json:"save"`
}

type renameOptions struct {
	PrepareProvider bool `json:"prepareProvider"`
}

type codeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

type completionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

type semanticTokensOptions struct {
	Legend legend `json:"legend"`
	Full   bool   `json:"full"`
}

type legend struct {
	TokenTypes     []string `json:"tokenTypes"`
	TokenModifiers []string `json:"tokenModifiers"`
}

// --- documents -------------------------------------------------------------------------------------------

type textDocument struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

// documentParams are the parameters of all requests and notifications about a document.
type documentParams struct {
	TextDocument   textDocument `json:"textDocument"`
	Position       position     `json:"position"`
	NewName        string       `json:"newName"`
	Query          string       `json:"query"`
	ContentChanges []struct {
		Text string `json:"text"`
	} `json:"contentChanges"`
	Context struct {
		Diagnostics []diagnostic `json:"diagnostics"`
	} `json:"context"`
}

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range    span                 `json:"range"`
	Severity int                  `json:"severity"` // 1 error, 2 warning
	Code     string               `json:"code"`
	Source   string               `json:"source"`
	Message  string               `json:"message"`
	Related  []relatedInformation `json:"relatedInformation,omitempty"`
}

type relatedInformation struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

// --- what is asked ---------------------------------------------------------------------------------------

type hover struct {
	Contents markup `json:"contents"`
	Range    span   `json:"range"`
}

type markup struct {
	Kind  string `json:"kind"` // markdown
	Value string `json:"value"`
}

type highlight struct {
	Range span `json:"range"`
}

type symbol struct {
	Name           string   `json:"name"`
	Detail         string   `json:"detail,omitempty"`
	Kind           int      `json:"kind"`
	Range          span     `json:"range"`
	SelectionRange span     `json:"selectionRange"`
	Children       []symbol `json:"children,omitempty"`
}

// symbolInformation is a definition somewhere.
type symbolInformation struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Location  location `json:"location"`
	Container string   `json:"containerName,omitempty"`
}

// placeholder is a name that may be renamed, and its place.
type placeholder struct {
	Range       span   `json:"range"`
	Placeholder string `json:"placeholder"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	Edit        workspaceEdit `json:"edit"`
	IsPreferred bool          `json:"isPreferred"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"` // by URI
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type completionItem struct {
	Label         string    `json:"label"`
	Kind          int       `json:"kind"`
	Detail        string    `json:"detail,omitempty"`
	Documentation string    `json:"documentation,omitempty"`
	TextEdit      *textEdit `json:"textEdit,omitempty"`
}

type semanticTokens struct {
	Data []uint32 `json:"data"`
}

// Kinds of symbols, of those that the protocol numbers.
const (
	symbolModule   = 2
	symbolClass    = 5
	symbolMethod   = 6
	symbolProperty = 7
	symbolField    = 8
	symbolEnum     = 10
	symbolFunction = 12
	symbolConstant = 14
	symbolObject   = 19
	symbolMember   = 22
	symbolEvent    = 24
)

// Kinds of completions.
const (
	completeFunction = 3
	completeField    = 5
	completeVariable = 6
	completeClass    = 7
	completeModule   = 9
	completeProperty = 10
	completeEnum     = 13
	completeKeyword  = 14
	completeMember   = 20
	completeConstant = 21
	completeEvent    = 23
)
