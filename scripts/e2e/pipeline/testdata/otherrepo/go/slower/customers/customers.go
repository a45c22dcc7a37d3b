package customers

import "time"

// Look looks up the customer, in a slow table.
func Look() { time.Sleep(100 * time.Millisecond) }
