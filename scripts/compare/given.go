package compare

// Given are priors that are known already, of one server's cells: those that a
// verdict was reached with, so that it can be reached again.
func Given(epoch, server string, cells map[string]Prior) Priors {
	return Priors{epoch: {server: cells}}
}
