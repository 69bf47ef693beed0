//go:build !js

package studio

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"arbiter/cmd/arbiter/internal/studio/dist"
)

// This file decides who is answered, and what the page may load: nothing that does not come from here.

// guarded lets only pages through that were opened with the token, by the address of the server, from its own origin.
// The name by which the server is called is checked because another site can give its own name this address.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		refuse := func(why string) { http.Error(w, why, http.StatusForbidden) }
		origin := r.Header.Get("Origin")
		first, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case r.Host != s.host:
			refuse("The studio answers only by its own address.")
		case origin != "" && origin != "http://"+s.host:
			refuse("The studio answers only its own page.")
		case r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate":
			refuse("The studio answers only its own page.")
		case !s.knows(first):
			refuse("The address lacks the token of the studio: open the address that `arbiter studio` has printed.")
		case path.Clean("/"+rest) != strings.TrimSuffix("/"+rest, "/") && rest != "":
			refuse("The address is not one of the page.")
		default:
			inner := r.Clone(r.Context())
			inner.URL.Path, inner.URL.RawPath = "/"+rest, ""
			if isToken(first, s.players) {
				inner.URL.Path = "/players" + inner.URL.Path
			}
			next.ServeHTTP(w, inner)
		}
	})
}

// knows reports whether a text is one of the tokens.
func (s *Server) knows(text string) bool { return isToken(text, s.token) || isToken(text, s.players) }

func isToken(text, token string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(token)) == 1
}

// contentPolicy lets the page load and call nothing but this server. The editor writes its styles into the page, which
// the nonce allows, and into attributes of elements, from where nothing can be loaded either.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%s'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// servePage sends the page, or that of players, with a nonce of its own.
func servePage(w http.ResponseWriter, kind string) {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	nonce := base64.RawStdEncoding.EncodeToString(b[:])
	page, err := fs.ReadFile(dist.FS, "studio.html")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Security-Policy", fmt.Sprintf(contentPolicy, nonce))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	page = bytes.Replace(page, []byte(`<div id="studio">`), fmt.Appendf(nil, `<div id="studio" data-page="%s">`, kind), 1)
	_, _ = w.Write(bytes.ReplaceAll(page, []byte("NONCE"), []byte(nonce))) // the reader may be gone
}

// assetTypes are the types of what the page loads.
var assetTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("asset")
	kind, known := assetTypes[path.Ext(name)]
	data, err := fs.ReadFile(dist.FS, name)
	if !known || err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(data) // the reader may be gone
}
