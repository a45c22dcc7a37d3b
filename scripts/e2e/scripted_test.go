package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

const (
	overTLS = `import http.server, os, ssl
class H(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), H)
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain("cert.pem", "key.pem")
server.socket = tls.wrap_socket(server.socket, server_side=True)
server.serve_forever()
`
	// It shakes hands and sends each short text back.
	overSocket = `import base64, hashlib, os, socketserver
class H(socketserver.StreamRequestHandler):
    def handle(self):
        key = b""
        while (line := self.rfile.readline().strip()):
            if line.lower().startswith(b"sec-websocket-key:"):
                key = line.split(b":")[1].strip()
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        while (head := self.rfile.read(2)) and head[0] & 15 != 8:
            mask = self.rfile.read(4)
            text = bytes(b ^ mask[i % 4] for i, b in enumerate(self.rfile.read(head[1] & 127)))
            self.wfile.write(bytes([0x81, len(text)]) + text)
class S(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
S(("127.0.0.1", int(os.environ["PORT"])), H).serve_forever()
`
	paced  = "export const options = { scenarios: { all: { executor: 'constant-arrival-rate', rate: 20, duration: '20s', preAllocatedVUs: 5 } } };\n"
	manyIs = "import http from 'k6/http';\nimport { check } from 'k6';\n" + paced
)

// A script may speak any protocol of k6. One that cannot be a load gets an error that says what to change.
func TestScriptsOfAllKinds(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	server := func(name, source, keys, script string) {
		p.write(name+"/server.py", source)
		p.write(name+"/load.js", script)
		p.write(name+"/server.json", fmt.Sprintf(`{"workload": "scripted", "language": "python", "framework": "none", "build": ["true"],
			"run": ["python3", "server.py"], "versions": {"python": ["python3", "--version"]}, "script": "load.js"%s}`, keys))
	}
	cert, key := certificate(t)
	server("tls", overTLS, `, "base_url": "https://127.0.0.1:$PORT", "ready": "/"`, manyIs+"export default () => { check(http.get(`${__ENV.BASE_URL}/a`), { ok: (r) => r.body === 'ok' }); };\n")
	p.write("tls/cert.pem", cert)
	p.write("tls/key.pem", key)
	server("socket", overSocket, "", "import ws from 'k6/ws';\nimport { check } from 'k6';\n"+paced+`export default () => {
	const url = __ENV.BASE_URL.replace('http', 'ws');
	ws.connect(url, (socket) => {
		socket.on('open', () => socket.send('hello'));
		socket.on('message', (text) => { check(text, { 'comes back': (t) => t === 'hello' }); socket.close(); });
	});
};
`)
	server("broken", overSocket, "", "import http from 'k6/http';\nexport default () => {\n")
	server("short", overSocket, "", "export default () => { throw new Error('the shop is shut'); };\n")
	server("remote", overSocket, "", "import x from 'https://127.0.0.1:9/x.js';\nexport default () => {};\n")
	server("elsewhere", overSocket, "", manyIs+"export default () => { http.get('http://127.0.0.1:9/'); };\n")
	out := p.bench("verify", "./tls", "./socket", "./broken", "./short", "./remote", "./elsewhere")
	out.expect(t, 1)
	for _, want := range []string{
		"broken: S2 script (must): script: ", "short: S2 script (must): script: it ended after ", "Error: the shop is shut",
		"remote: S2 script (must): script: k6 cannot download a module that it imports by URL; let this machine reach that host, or import a copy",
		"elsewhere: S2 script (must): script: it sent nothing to BASE_URL (http://127.0.0.1:",
		"but to 127.0.0.1:9; want ${__ENV.BASE_URL} in the script",
	} {
		if !strings.Contains(out.stdout+out.stderr, want) {
			t.Errorf("want %q:\n%s\n%s", want, out.stdout, out.stderr)
		}
	}
	for _, fine := range []string{"tls: S", "socket: S"} {
		if strings.Contains(out.stderr, fine) {
			t.Errorf("%s fails:\n%s", fine, out.stderr)
		}
	}
}

// certificate is one that a server signs itself.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().AddDate(1, 0, 0), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	signed, err := x509.CreateCertificate(rand.Reader, of, of, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})), string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: encoded}))
}

// Base and head of a server with a script are loaded side by side. What fails at head alone is a regression, and the script's own
// thresholds stand beside it.
func TestAComparisonWithAScript(t *testing.T) {
	t.Parallel()
	r, p := theirs(t)
	r.copy("../servers/scripted/shop-node", "shop")
	r.write("shop/load.js", strings.Replace(r.text("shop/load.js"), "duration: '20s'", "duration: '9s'", 1))
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "a shop")
	r.write("shop/server.js", strings.Replace(r.text("shop/server.js"), "answer(res, 201, { token })", "answer(res, 200, { token })", 1))
	r.git("commit", "-q", "-am", "another status")
	out := p.in(r.root, "compare", "-rounds", "2", "-base", "HEAD~1", "-o", "out", "./shop")
	out.expect(t, 1)
	for _, want := range []string{"regressed: ", "check login gives a token", "threshold http_req_duration p(95)<200", "Both sides got base's script, with a k6 each."} {
		if !strings.Contains(out.stdout, want) {
			t.Errorf("want %q:\n%s\n%s", want, out.stdout, out.stderr)
		}
	}
	for _, rec := range testfile.Read(p, r.root+"/out/"+recordsFile, record.Read) {
		cpu, known := rec.Metrics.Get("server_cpu_us_per_iteration")
		if iterations, _ := rec.Metrics.Get("iterations"); !known || cpu <= 0 || iterations < 100 || len(rec.Requests) != 3 || len(rec.Outcomes) != 5 {
			t.Errorf("%s: %g iterations, %g us of CPU time each; %d requests by name, %d outcomes: %q", rec.Target(), iterations, cpu, len(rec.Requests), len(rec.Outcomes), rec.Why)
		}
	}
}
