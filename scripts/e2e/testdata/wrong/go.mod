module wrong

go 1.26.0
