module fairstream/k6/sse/hist

go 1.26.0
