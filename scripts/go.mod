module fairstream/scripts

go 1.26.0

toolchain go1.26.8

require golang.org/x/sys v0.49.0

require golang.org/x/sync v0.24.0

require go.yaml.in/yaml/v3 v3.0.6
