module github.com/opencashier/opencashier/sdks/go

go 1.19
