package customers

// Look looks up the customer.
func Look() {}
