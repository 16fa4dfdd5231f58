package opencashier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"
)

type walletVector struct {
	Name    string
	Secrets []string
	Headers map[string]string
	Body    string
	Now     int64
	Wallet  json.RawMessage
	Reaches string
	Expect  json.RawMessage
}

var errUnknown = errors.New("unknown")

// walletOfVector answers as a vector says, and remembers who asked.
type walletOfVector struct {
	outcome json.RawMessage
	reached []string
}

func (w *walletOfVector) answer(kind string) (WalletDone, error) {
	w.reached = append(w.reached, kind)
	var outcome struct{ Balance, TransactionID, Declined, Message string }
	if json.Unmarshal(w.outcome, &outcome) != nil {
		return WalletDone{}, errUnknown
	}
	if outcome.Declined != "" {
		return WalletDone{}, &WalletDeclined{outcome.Declined, outcome.Message, outcome.Balance}
	}
	return WalletDone{outcome.Balance, outcome.TransactionID}, nil
}

func (w *walletOfVector) Balance(context.Context, WalletCall) (WalletDone, error) {
	return w.answer("balance")
}
func (w *walletOfVector) Debit(context.Context, WalletCall) (WalletDone, error) {
	return w.answer("debit")
}
func (w *walletOfVector) Credit(context.Context, WalletCall) (WalletDone, error) {
	return w.answer("credit")
}
func (w *walletOfVector) Release(context.Context, WalletCall) (WalletDone, error) {
	return w.answer("release")
}

func (vector walletVector) request() (Verifier, http.Header) {
	header := http.Header{}
	for name, value := range vector.Headers {
		header.Set(name, value)
	}
	return Verifier{Secrets: vector.Secrets, Now: func() time.Time { return time.Unix(vector.Now, 0) }}, header
}

func (vector walletVector) outcome(t *testing.T, wallet Wallet) any {
	verifier, header := vector.request()
	response, err := verifier.HandleWalletCall(context.Background(), []byte(vector.Body), header, wallet)
	switch {
	case errors.Is(err, errUnknown):
		return "unknown"
	case errors.Is(err, ErrBadBalance):
		return "bad-balance"
	case errors.Is(err, ErrBadSecret):
		return "bad-secret"
	case err != nil:
		return err.Error()
	}
	var body any
	if err := json.Unmarshal(response.Body, &body); err != nil {
		t.Fatal(err)
	}
	return map[string]any{"status": float64(response.Status), "body": body}
}

func TestEveryWalletCall(t *testing.T) {
	vectors := readVectors[walletVector](t, "wallet-calls.json")
	if len(vectors) < 30 {
		t.Fatal("there are too few vectors")
	}
	for _, vector := range vectors {
		var expected any
		if err := json.Unmarshal(vector.Expect, &expected); err != nil {
			t.Fatal(err)
		}
		wallet := &walletOfVector{outcome: vector.Wallet}
		if found := vector.outcome(t, wallet); !reflect.DeepEqual(found, expected) {
			t.Errorf("%s: %v, expected %v", vector.Name, found, expected)
		}
		if (vector.Reaches == "") != (len(wallet.reached) == 0) || len(wallet.reached) == 1 && wallet.reached[0] != vector.Reaches {
			t.Errorf("%s: reached %v", vector.Name, wallet.reached)
		}
	}
}

func TestWalletHandler(t *testing.T) {
	for _, each := range []struct {
		index, status int
		outcome       string
	}{{0, 200, `{"balance":"25.00"}`}, {0, 500, `"throws"`}} {
		vector := readVectors[walletVector](t, "wallet-calls.json")[each.index]
		verifier, header := vector.request()
		failures := 0
		handler := verifier.WalletHandler(&walletOfVector{outcome: json.RawMessage(each.outcome)}, func(*http.Request, error) { failures++ })
		request := httptest.NewRequest("POST", "/wallet", bytes.NewBufferString(vector.Body))
		request.Header = header
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		if recorder.Code != each.status || (failures == 1) != (each.status == 500) {
			t.Error(recorder.Code, failures)
		}
	}
}
