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
)

type bonusVector struct {
	Name    string
	Secrets []string
	Headers map[string]string
	Body    string
	Now     int64
	Bonuses json.RawMessage
	Reaches *BonusQuestion
	Expect  json.RawMessage
}

func (vector bonusVector) request() (Verifier, http.Header) {
	return walletVector{Secrets: vector.Secrets, Headers: vector.Headers, Now: vector.Now}.request()
}

// engine answers as the vector says, and remembers what it was asked.
func (vector bonusVector) engine(reached *[]BonusQuestion) BonusEngine {
	return func(_ context.Context, question BonusQuestion) ([]OwnBonus, error) {
		*reached = append(*reached, question)
		var bonuses []OwnBonus
		if json.Unmarshal(vector.Bonuses, &bonuses) != nil {
			return nil, errUnknown
		}
		if len(bonuses) == 0 {
			return nil, nil
		}
		return bonuses, nil
	}
}

func (vector bonusVector) outcome(t *testing.T, reached *[]BonusQuestion) any {
	verifier, header := vector.request()
	response, err := verifier.HandleBonusCall(context.Background(), []byte(vector.Body), header, vector.engine(reached))
	switch {
	case errors.Is(err, errUnknown):
		return "unknown"
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

func TestEveryBonusQuestion(t *testing.T) {
	vectors := readVectors[bonusVector](t, "bonus-questions.json")
	if len(vectors) < 15 {
		t.Fatal("there are too few vectors")
	}
	for _, vector := range vectors {
		var expected any
		if err := json.Unmarshal(vector.Expect, &expected); err != nil {
			t.Fatal(err)
		}
		var reached, should []BonusQuestion
		if found := vector.outcome(t, &reached); !reflect.DeepEqual(found, expected) {
			t.Errorf("%s: %v, expected %v", vector.Name, found, expected)
		}
		if vector.Reaches != nil {
			should = []BonusQuestion{*vector.Reaches}
		}
		if !reflect.DeepEqual(reached, should) {
			t.Errorf("%s: reached %v", vector.Name, reached)
		}
	}
}

func TestBonusHandler(t *testing.T) {
	vector := readVectors[bonusVector](t, "bonus-questions.json")[0]
	for _, status := range []int{200, 500} {
		if status == 500 {
			vector.Bonuses = json.RawMessage(`"throws"`)
		}
		verifier, header := vector.request()
		failures := 0
		handler := verifier.BonusHandler(vector.engine(new([]BonusQuestion)), func(*http.Request, error) { failures++ })
		request := httptest.NewRequest("POST", "/bonuses", bytes.NewBufferString(vector.Body))
		request.Header = header
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		if recorder.Code != status || (failures == 1) != (status == 500) {
			t.Error(recorder.Code, failures)
		}
	}
}
