// Package opencashier is OpenCashier for the backend of an operator: verified webhooks and the operator API. It needs only the standard
// library.
package opencashier

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Webhook is a verified webhook. Deliveries of one webhook share the ID: credit once for each.
type Webhook struct {
	ID        string          `json:"-"`
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// VerificationError says that a message is not a webhook of your cashier, or was changed or delayed on its way. Answer 401 and do nothing
// else. Code is stable.
type VerificationError struct {
	Code    string
	Message string
}

func (e *VerificationError) Error() string { return e.Message }

// ErrBadSecret says that the receiver itself is set up wrongly: a secret is missing or is none.
var ErrBadSecret = errors.New("a webhook secret is whsec_ and base64: is the variable set?")

// Verifier checks webhooks by the Standard Webhooks scheme.
type Verifier struct {
	// Secrets are one or more of whsec_…: name the old and the new one while you change the secret.
	Secrets []string
	// Tolerance is how far the sender's clock and yours may differ; 0 means five minutes.
	Tolerance time.Duration
	// Now answers the time; nil means time.Now.
	Now func() time.Time
}

var (
	secretForm = regexp.MustCompile(`^whsec_([A-Za-z0-9+/]{20,})={0,2}$`)
	timeForm   = regexp.MustCompile(`^[0-9]{1,12}$`)
)

// Verify checks the body as it arrived, before anything has parsed it. It answers a *VerificationError for a message that is not to be
// trusted, and ErrBadSecret for a secret that is none.
func (v Verifier) Verify(rawBody []byte, header http.Header) (*Webhook, error) {
	id, body, err := v.verifySignature(rawBody, header)
	if err != nil {
		return nil, err
	}
	webhook := Webhook{ID: id}
	if err := json.Unmarshal(body, &webhook); err != nil || webhook.Type == "" {
		return nil, &VerificationError{"bad-body", "The body is not a JSON object with a type."}
	}
	return &webhook, nil
}

// verifySignature is the part that webhooks and calls to a wallet share. It answers the webhook-id and the JSON object of the body.
func (v Verifier) verifySignature(rawBody []byte, header http.Header) (string, []byte, error) {
	keys, err := v.keys()
	if err != nil {
		return "", nil, err
	}
	var values [3]string
	for index, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		values[index] = header.Get(name)
		if values[index] == "" {
			return "", nil, &VerificationError{"missing-header", "The header " + name + " is missing."}
		}
	}
	id, timestamp, signatures := values[0], values[1], values[2]
	if err := v.checkTime(timestamp); err != nil {
		return "", nil, err
	}
	if !isSigned(keys, id+"."+timestamp+".", rawBody, strings.Split(signatures, " ")) {
		return "", nil, &VerificationError{"bad-signature", "No signature fits the body and a secret."}
	}
	trimmed := bytes.TrimSpace(rawBody)
	if !json.Valid(trimmed) || trimmed[0] != '{' {
		return "", nil, &VerificationError{"bad-body", "The body is not a JSON object."}
	}
	return id, trimmed, nil
}

func (v Verifier) keys() ([][]byte, error) {
	// Without a secret nothing could be refused.
	if len(v.Secrets) == 0 {
		return nil, ErrBadSecret
	}
	keys := make([][]byte, 0, len(v.Secrets))
	for _, secret := range v.Secrets {
		match := secretForm.FindStringSubmatch(secret)
		if match == nil {
			return nil, ErrBadSecret
		}
		key, err := base64.RawStdEncoding.DecodeString(match[1])
		if err != nil {
			return nil, ErrBadSecret
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func (v Verifier) checkTime(timestamp string) error {
	if !timeForm.MatchString(timestamp) {
		return &VerificationError{"bad-timestamp", "webhook-timestamp must be seconds since 1970."}
	}
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return &VerificationError{"bad-timestamp", "webhook-timestamp must be seconds since 1970."}
	}
	now, tolerance := time.Now, int64(300)
	if v.Now != nil {
		now = v.Now
	}
	if v.Tolerance != 0 {
		tolerance = int64(v.Tolerance / time.Second)
	}
	age := now().Unix() - sent
	if age > tolerance {
		return &VerificationError{"too-old", fmt.Sprintf("The webhook was sent %d seconds ago.", age)}
	}
	if age < -tolerance {
		return &VerificationError{"too-new", fmt.Sprintf("The webhook is %d seconds ahead of this clock.", -age)}
	}
	return nil
}

func isSigned(keys [][]byte, start string, rawBody []byte, given []string) bool {
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(start))
		mac.Write(rawBody)
		expected := mac.Sum(nil)
		for _, entry := range given {
			if !strings.HasPrefix(entry, "v1,") {
				continue
			}
			if decoded, err := base64.StdEncoding.DecodeString(entry[3:]); err == nil && hmac.Equal(decoded, expected) {
				return true
			}
		}
	}
	return false
}

func decodeData[Data any](data json.RawMessage, into *Data) (any, error) {
	if err := json.Unmarshal(data, into); err != nil {
		return nil, err
	}
	return into, nil
}
