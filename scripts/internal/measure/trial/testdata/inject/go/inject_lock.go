package main

import (
	"log"
	"time"
)

// heldUS is how long the lock is held at a time. It is short beside a stream.
const heldUS = 4000

// holdLock holds the lock for a share of the time and uses no CPU meanwhile. So streams wait, and the cores
// idle once the other processes have done what was left. A lock around work would cost as much as the machine
// is slow that minute. A share of the time does not.
func (p *inject) holdLock() {
	var held delay
	apart := time.Duration(heldUS * 1000 * (1/p.lockShare - 1))
	for {
		time.Sleep(apart)
		p.lock.Lock()
		_, err := held.wait(heldUS)
		p.lock.Unlock()
		if err != nil {
			log.Fatal("inject: lock: ", err)
		}
	}
}
