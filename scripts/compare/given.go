package compare

// Given are priors that are known already, of one server's cells: those that a
// verdict was reached with, so that it can be reached again.
func Given(epoch, server string, cells map[string]Prior) Priors {
	priors := Priors{of: map[cellOf]Prior{}}
	for cell, prior := range cells {
		priors.of[cellOf{epoch, server, cell}] = prior
	}
	return priors
}
