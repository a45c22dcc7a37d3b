module hello

go 1.26.0
