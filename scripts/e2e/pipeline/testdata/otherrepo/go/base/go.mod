module example.org/shop

go 1.26.0
