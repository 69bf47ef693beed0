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
	dir := os.Getenv(cacheVariable)
	switch dir {
	case "off":
		return nil
	case "":
		user, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		dir = filepath.Join(user, "arbiter")
	}
	return build.NewStore(filepath.Join(dir, "built"))
})
