package main

import (
	"fmt"
	"net/http"
	"os"
)

func dieAt210(n int64, _ http.ResponseWriter, _ *http.Request) bool {
	if n == 210 {
		fmt.Println("out of luck")
		os.Exit(7)
	}
	return false
}

func hangSome(n int64, _ http.ResponseWriter, r *http.Request) bool {
	if n > 210 && n%10 == 5 && n < 240 {
		<-r.Context().Done()
		return true
	}
	return false
}

func failTenth(n int64, w http.ResponseWriter, _ *http.Request) bool {
	if n > 200 && n%10 == 0 {
		http.Error(w, "no", http.StatusInternalServerError)
		return true
	}
	return false
}

func failAll(_ int64, w http.ResponseWriter, _ *http.Request) bool {
	http.Error(w, "no", http.StatusInternalServerError)
	return true
}
