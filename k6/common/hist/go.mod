module fairstream/k6/common/hist

go 1.26.0
