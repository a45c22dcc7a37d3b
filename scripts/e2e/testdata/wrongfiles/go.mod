module wrongfiles

go 1.26.0
