package blob_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/blob"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// bucket is a server for the part of S3's HTTP API that a file store needs: objects, ranges, multipart
// uploads. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
type bucket struct {
	t       *testing.T
	mu      sync.Mutex
	objects map[string][]byte
	parts   map[string]map[int][]byte
	calls   atomic.Int64
	broken  atomic.Bool // answers 500
	mute    atomic.Bool // accepts requests but never answers
	release chan struct{}
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.calls.Add(1)
	body, err := io.ReadAll(r.Body)
	if b.mute.Load() {
		select {
		case <-b.release:
		case <-r.Context().Done():
		}
		return
	}
	if b.broken.Load() || err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=key/") {
		b.refuse(w, http.StatusForbidden, "AccessDenied")
		return
	}
	key, ours := strings.CutPrefix(r.URL.Path, "/files/")
	if !ours {
		b.refuse(w, http.StatusNotFound, "NoSuchBucket")
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	q := r.URL.Query()
	switch {
	case r.Method == http.MethodPost && q.Has("uploads"):
		id := fmt.Sprint("upload-", len(b.parts))
		b.parts[id] = map[int][]byte{}
		fmt.Fprintf(w,
			`<InitiateMultipartUploadResult><Bucket>files</Bucket><Key>%s</Key><UploadId>%s</UploadId></InitiateMultipartUploadResult>`,
			key, id)
	case r.Method == http.MethodPut && q.Has("uploadId"):
		n, _ := strconv.Atoi(q.Get("partNumber"))
		b.parts[q.Get("uploadId")][n] = body
		w.Header().Set("ETag", fmt.Sprintf(`"part-%d"`, n))
	case r.Method == http.MethodPost && q.Has("uploadId"):
		b.complete(w, key, q.Get("uploadId"), body)
	case r.Method == http.MethodDelete && q.Has("uploadId"):
		delete(b.parts, q.Get("uploadId"))
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPut:
		b.objects[key] = body
		w.Header().Set("ETag", `"whole"`)
	case r.Method == http.MethodDelete:
		delete(b.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case b.objects[key] == nil:
		b.refuse(w, http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("ETag", `"whole"`)
		http.ServeContent(w, r, "", time.Unix(1, 0), bytes.NewReader(b.objects[key]))
	}
}

func (b *bucket) complete(w http.ResponseWriter, key, id string, body []byte) {
	var list struct {
		Part []struct{ PartNumber int }
	}
	if err := xml.Unmarshal(body, &list); err != nil || len(list.Part) != len(b.parts[id]) {
		b.refuse(w, http.StatusBadRequest, "InvalidPart")
		return
	}
	var whole []byte
	for _, p := range list.Part {
		whole = append(whole, b.parts[id][p.PartNumber]...)
	}
	b.objects[key] = whole
	delete(b.parts, id)
	fmt.Fprintf(w,
		`<CompleteMultipartUploadResult><Bucket>files</Bucket><Key>%s</Key><ETag>"x"</ETag></CompleteMultipartUploadResult>`, key)
}

func (b *bucket) refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<Error><Code>%s</Code><Message>no</Message></Error>`, code)
}

// service starts a bucket and returns its URL for the store.
func service(t *testing.T) (b *bucket, url string) {
	t.Helper()
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true", "AWS_MAX_ATTEMPTS": "1",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
	} {
		t.Setenv(name, value)
	}
	b = &bucket{t: t, objects: map[string][]byte{}, parts: map[string]map[int][]byte{}, release: make(chan struct{})}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(b.release) })
	return b, "s3://files?endpoint=" + server.URL
}

func TestService(t *testing.T) {
	b, url := service(t)
	portstest.Blobs(t, func(t *testing.T) ports.Blobs { return open(t, blob.Options{URL: url}) })
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.parts) > 0 {
		t.Errorf("%d multipart uploads were not completed", len(b.parts))
	}
	if b.objects["t1/ab/cd"] == nil {
		t.Errorf("the keys in the bucket differ")
	}
}

func TestFailingServiceOpensTheCircuit(t *testing.T) {
	b, url := service(t)
	s := open(t, blob.Options{URL: url})
	b.broken.Store(true)
	ask := func() {
		if _, err := s.Open(t.Context(), "t1/ab/cd", 0, -1); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("err = %v, want ErrUnavailable", err)
		}
	}
	var all sync.WaitGroup
	for range 5 { // each is retried several times, with pauses
		all.Go(ask)
	}
	all.Wait()
	before := b.calls.Load()
	for range 20 {
		ask()
	}
	if after := b.calls.Load(); before < 5 || after != before {
		t.Errorf("%d requests, then %d", before, after)
	}
}

func TestStalledServiceTimesOut(t *testing.T) {
	b, url := service(t)
	s := open(t, blob.Options{URL: url, StallTimeout: 50 * time.Millisecond})
	b.mute.Store(true)
	if err := s.Put(context.Background(), "t1/ab/cd", "text/plain", strings.NewReader("x")); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("err = %v, want ErrUnavailable", err)
	}
}
