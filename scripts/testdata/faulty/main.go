// faulty is a server that fails in the way its first argument says.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

func main() {
	fault := os.Args[1]
	switch fault {
	case "exits":
		fmt.Println("cannot open the configuration")
		os.Exit(4)
	case "mute":
		time.Sleep(time.Hour)
	}
	var requests atomic.Int64
	http.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("POST /chat", func(w http.ResponseWriter, r *http.Request) {
		n := requests.Add(1)
		if fault == "dies" && n == 210 { // the shortened warm-up is 200
			fmt.Println("out of luck")
			os.Exit(7)
		}
		if fault == "hangs" && n > 210 && n%10 == 5 && n < 240 {
			<-r.Context().Done()
			return
		}
		if fault == "tenth-fails" && n > 200 && n%10 == 0 || fault == "all-fail" {
			http.Error(w, "no", http.StatusInternalServerError)
			return
		}
		relay(w, r)
	})
	fmt.Println(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
	os.Exit(1)
}

func relay(w http.ResponseWriter, r *http.Request) {
	var in struct{ Message string }
	json.NewDecoder(r.Body).Decode(&in)
	body, _ := json.Marshal(map[string]any{"model": "m", "stream": true, "messages": []any{map[string]string{"role": "user", "content": in.Message}}})
	up, err := http.Post(os.Getenv("STUB_URL")+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer up.Body.Close()
	w.Header().Set("Content-Type", "text/event-stream")
	io.Copy(w, up.Body)
}
