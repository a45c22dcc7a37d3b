module wrongweb

go 1.26.0
