package opencashier

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// CallResponse is the answer to a call of the cashier. Send it as it is.
type CallResponse struct {
	Status int
	Header http.Header
	Body   []byte
}

type refused struct {
	Code string `json:"code"`
}

// readSignedCall verifies a call and reads its ID and type. It answers the body, or the response for a call that is not the cashier's (401)
// or cannot be read (400).
func (v Verifier) readSignedCall(rawBody []byte, header http.Header) (kind string, body []byte, refusal *CallResponse, err error) {
	id, body, err := v.verifySignature(rawBody, header)
	var problem *VerificationError
	if errors.As(err, &problem) {
		status := http.StatusUnauthorized
		if problem.Code == "bad-body" {
			status = http.StatusBadRequest
		}
		refusal, err = respondToCall(status, refused{problem.Code})
		return "", nil, refusal, err
	}
	if err != nil {
		return "", nil, nil, err
	}
	var call struct{ Id, Type string }
	if err := json.Unmarshal(body, &call); err != nil || call.Id != id {
		refusal, err = respondToCall(http.StatusBadRequest, refused{"bad-body"})
		return "", nil, refusal, err
	}
	return call.Type, body, nil, nil
}

func respondToCall(status int, body any) (*CallResponse, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return &CallResponse{status, http.Header{"Content-Type": {"application/json"}}, text}, nil
}

// mostCallBytes is far above what a call has.
const mostCallBytes = 64 * 1024

// serveCalls answers calls over HTTP. An error answers 500 and goes to onError, if there is one.
func serveCalls(handle func(*http.Request, []byte) (*CallResponse, error), onError func(*http.Request, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostCallBytes))
		var response *CallResponse
		if err == nil {
			response, err = handle(r, body)
		}
		if err != nil {
			if onError != nil {
				onError(r, err)
			}
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("content-type", response.Header.Get("content-type"))
		w.WriteHeader(response.Status)
		w.Write(response.Body)
	})
}
