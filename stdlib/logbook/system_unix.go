//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package logbook

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// lock reports whether someone else holds the lock. It uses flock rather than fcntl, whose locks are lost as soon as
// the process closes the file anywhere, for example after Read.
func lock(f *os.File) (held bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	return errors.Is(err, unix.EWOULDBLOCK), err
}

// holder returns the process that holds the lock, or 0. Only Linux reports it, in a list like
//
//	1: FLOCK  ADVISORY  WRITE 708 08:01:14025 0 EOF
func holder(f *os.File) int {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	list, err := os.Open("/proc/locks")
	if !ok || err != nil {
		return 0
	}
	defer list.Close()
	dev := uint64(stat.Dev)
	file := fmt.Sprintf("%02x:%02x:%d", unix.Major(dev), unix.Minor(dev), stat.Ino)
	for lines := bufio.NewScanner(list); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 5 && fields[1] == "FLOCK" && fields[5] == file {
			pid, _ := strconv.Atoi(fields[4])
			return max(pid, 0)
		}
	}
	return 0
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
