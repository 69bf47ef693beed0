package langserver

import "encoding/json"

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
		TextDocument struct {
			Diagnostic         *struct{} `json:"diagnostic"`
			PublishDiagnostics struct {
				DataSupport bool `json:"dataSupport"`
			} `json:"publishDiagnostics"`
			CodeAction struct {
				ResolveSupport struct {
					Properties []string `json:"properties"`
				} `json:"resolveSupport"`
			} `json:"codeAction"`
		} `json:"textDocument"`
		Workspace struct {
			Diagnostics    refreshing `json:"diagnostics"`
			InlayHint      refreshing `json:"inlayHint"`
			CodeLens       refreshing `json:"codeLens"`
			SemanticTokens refreshing `json:"semanticTokens"`
			WorkspaceEdit  struct {
				DocumentChanges    bool     `json:"documentChanges"`
				ResourceOperations []string `json:"resourceOperations"`
			} `json:"workspaceEdit"`
		} `json:"workspace"`
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
		} `json:"window"`
	} `json:"capabilities"`
}

// refreshing says that the editor asks again when it is asked to.
type refreshing struct {
	RefreshSupport bool `json:"refreshSupport"`
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
	ReferencesProvider         progressOptions       `json:"referencesProvider"`
	DocumentHighlightProvider  bool                  `json:"documentHighlightProvider"`
	DocumentSymbolProvider     bool                  `json:"documentSymbolProvider"`
	FoldingRangeProvider       bool                  `json:"foldingRangeProvider"`
	WorkspaceSymbolProvider    bool                  `json:"workspaceSymbolProvider"`
	DocumentFormattingProvider bool                  `json:"documentFormattingProvider"`
	RenameProvider             renameOptions         `json:"renameProvider"`
	CodeActionProvider         codeActionOptions     `json:"codeActionProvider"`
	CompletionProvider         completionOptions     `json:"completionProvider"`
	SemanticTokensProvider     semanticTokensOptions `json:"semanticTokensProvider"`
	SelectionRangeProvider     bool                  `json:"selectionRangeProvider"`
	CallHierarchyProvider      progressOptions       `json:"callHierarchyProvider"`
	InlayHintProvider          bool                  `json:"inlayHintProvider"`
	SignatureHelpProvider      signatureHelpOptions  `json:"signatureHelpProvider"`
	CodeLensProvider           resolveOptions        `json:"codeLensProvider"`
	DiagnosticProvider         *diagnosticOptions    `json:"diagnosticProvider,omitempty"` // nil: the editor is told them
}

type textDocumentSync struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"` // 2: what has changed
	Save      bool `json:"save"`
}

type renameOptions struct {
	PrepareProvider  bool `json:"prepareProvider"`
	WorkDoneProgress bool `json:"workDoneProgress"`
}

type progressOptions struct {
	WorkDoneProgress bool `json:"workDoneProgress"`
}

type codeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
	ResolveProvider bool     `json:"resolveProvider"`
}

type resolveOptions struct {
	ResolveProvider bool `json:"resolveProvider"`
}

type signatureHelpOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

type diagnosticOptions struct {
	Identifier            string `json:"identifier"`
	InterFileDependencies bool   `json:"interFileDependencies"`
	WorkspaceDiagnostics  bool   `json:"workspaceDiagnostics"`
}

type completionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

type semanticTokensOptions struct {
	Legend legend            `json:"legend"`
	Full   fullTokensOptions `json:"full"`
	Range  bool              `json:"range"`
}

type fullTokensOptions struct {
	Delta bool `json:"delta"`
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
	TextDocument   textDocument    `json:"textDocument"`
	Position       position        `json:"position"`
	NewName        string          `json:"newName"`
	Title          string          `json:"title"`
	Query          string          `json:"query"`
	ContentChanges []contentChange `json:"contentChanges"`
	Range          *span           `json:"range"`
	Positions      []position      `json:"positions"`
	Context        struct {
		Diagnostics []diagnostic `json:"diagnostics"`
		Only        []string     `json:"only"`
	} `json:"context"`
	PreviousResultID string          `json:"previousResultId"`
	Item             callItem        `json:"item"`
	Data             json.RawMessage `json:"data"` // of a code lens
	WorkDoneToken    json.RawMessage `json:"workDoneToken"`
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
	Data     *diagnosticData      `json:"data,omitempty"` // for editors that keep it
}

// diagnosticData comes with a diagnostic.
type diagnosticData struct {
	Fixes []fix `json:"fixes"`
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
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"` // nil until it is resolved
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Data        *actionData    `json:"data,omitempty"`
}

// workspaceEdit has Changes, or DocumentChanges if it creates files.
type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"` // by URI
	DocumentChanges []any                 `json:"documentChanges,omitempty"`
}

// createFile and documentEdit are parts of an edit, in their order.
type createFile struct {
	Kind string `json:"kind"` // create
	URI  string `json:"uri"`
}

type documentEdit struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
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
	SortText      string    `json:"sortText,omitempty"` // keeps the order in which they are given
	TextEdit      *textEdit `json:"textEdit,omitempty"`
}

type semanticTokens struct {
	ResultID string   `json:"resultId,omitempty"`
	Data     []uint32 `json:"data"`
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
