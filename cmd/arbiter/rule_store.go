package main

import (
	"os"
	"path/filepath"
	"sync"

	"arbiter/interp/build"
)

// cacheVariable names the environment variable that holds the folder for what can be made again, or `off`.
const cacheVariable = "ARBITER_CACHE"

// ruleStore is where commands keep the rules that they have built, for those that come after; nil if there is no place.
var ruleStore = sync.OnceValue(func() *build.Store {
	if dir := keptFolder(); dir != "" {
		return build.NewStore(filepath.Join(dir, "built"))
	}
	return nil
})

// keptFolder is the folder for what can be made again, "" if there is none.
func keptFolder() string {
	switch dir := os.Getenv(cacheVariable); dir {
	case "off":
		return ""
	case "":
		user, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(user, "arbiter")
	default:
		return dir
	}
}
