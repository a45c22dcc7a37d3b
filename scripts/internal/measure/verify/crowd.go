package verify

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// together limits how many members of a crowd are handled at the same time.
const together = 50

// Each calls do for all members of a crowd, and stops after the first error.
func Each[T any](all []T, do func(*T) error) error {
	group, failed := errgroup.WithContext(context.Background())
	group.SetLimit(together)
	for i := range all {
		group.Go(func() error {
			if failed.Err() != nil {
				return nil
			}
			return do(&all[i])
		})
	}
	return group.Wait()
}

var largeCrowd sync.Mutex

// EnterLargeCrowd allows one large crowd at a time, since a process has few open files. The caller calls leave
// at the end.
func EnterLargeCrowd() (leave func()) {
	largeCrowd.Lock()
	return largeCrowd.Unlock
}
