module fairstream/stub

go 1.26.0

toolchain go1.26.8

replace fairstream/k6/shared => ../k6/shared

require fairstream/k6/shared v0.0.0
