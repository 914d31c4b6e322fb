// In a copy of this folder, give the module your path, delete go.work, and run
//
//	go get github.com/cartwright-dev/cartwright@latest && go mod tidy
//
// Inside the repository go.work takes Cartwright from the checkout around the folder.
module example.com/examplepay

go 1.26.8
