module fairstream/k6/shared

go 1.26.0
