module swallowed

go 1.26.0
