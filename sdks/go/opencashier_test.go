package opencashier

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func readVectors[Vector any](t *testing.T, name string) []Vector {
	t.Helper()
	text, err := os.ReadFile("../vectors/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []Vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	return vectors
}

type webhookVector struct {
	Name    string
	Secrets []string
	Headers map[string]string
	Body    string
	Now     int64
	Expect  string
}

func (vector webhookVector) verify() (*Webhook, string) {
	header := http.Header{}
	for name, value := range vector.Headers {
		header.Set(name, value)
	}
	now := func() time.Time { return time.Unix(vector.Now, 0) }
	webhook, err := Verifier{Secrets: vector.Secrets, Now: now}.Verify([]byte(vector.Body), header)
	var refusal *VerificationError
	switch {
	case errors.As(err, &refusal):
		return nil, refusal.Code
	case errors.Is(err, ErrBadSecret):
		return nil, "bad-secret"
	case err != nil:
		return nil, err.Error()
	case webhook.ID != vector.Headers["webhook-id"]:
		return nil, "another id"
	}
	return webhook, "ok"
}

func TestEveryWebhook(t *testing.T) {
	vectors := readVectors[webhookVector](t, "webhooks.json")
	if len(vectors) < 30 {
		t.Fatal("there are too few vectors")
	}
	for _, vector := range vectors {
		if _, outcome := vector.verify(); outcome != vector.Expect {
			t.Errorf("%s: %s, expected %s", vector.Name, outcome, vector.Expect)
		}
	}
}

func TestTypedData(t *testing.T) {
	vectors := readVectors[webhookVector](t, "webhooks.json")
	webhook, _ := vectors[0].verify()
	data, err := webhook.Read()
	processed, isProcessed := data.(*DepositProcessedData)
	if err != nil || !isProcessed || processed.Amount != "25.00" || processed.PaidDebt != nil {
		t.Errorf("%#v, %v", data, err)
	}
	webhook.Type = "deposit.of_a_later_version"
	if data, err := webhook.Read(); data != nil || err != nil {
		t.Errorf("%#v, %v", data, err)
	}
}

// cashier answers with these statuses and bodies, the last one again and again.
func cashier(t *testing.T, answers ...any) (*Client, *[]*http.Request, *[]string) {
	t.Helper()
	requests, bodies := []*http.Request{}, []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		index := 2 * len(requests)
		if index >= len(answers) {
			index = len(answers) - 2
		}
		requests, bodies = append(requests, r), append(bodies, string(body))
		if answers[index].(int) == 0 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(answers[index].(int))
		io.WriteString(w, answers[index+1].(string))
	}))
	t.Cleanup(server.Close)
	client, err := NewClient(server.URL+"/", "sk_test")
	if err != nil {
		t.Fatal(err)
	}
	client.Pause = func(context.Context, time.Duration) error { return nil }
	return client, &requests, &bodies
}

func TestEveryRequest(t *testing.T) {
	type requestVector struct {
		Name, Call, Method, Path string
		Request                  json.RawMessage
		Body                     map[string]any
	}
	for _, vector := range readVectors[requestVector](t, "requests.json") {
		client, requests, bodies := cashier(t, 200, "{}")
		method := reflect.ValueOf(client).MethodByName(strings.ToUpper(vector.Call[:1]) + vector.Call[1:])
		request := reflect.New(method.Type().In(1))
		if err := json.Unmarshal(vector.Request, request.Interface()); err != nil {
			t.Fatal(err)
		}
		results := method.Call([]reflect.Value{reflect.ValueOf(context.Background()), request.Elem()})
		if err := results[1].Interface(); err != nil {
			t.Fatal(vector.Name, err)
		}
		sent := (*requests)[0]
		if sent.Method != vector.Method || sent.RequestURI != vector.Path || sent.Header.Get("authorization") != "Bearer sk_test" {
			t.Error(vector.Name, sent.Method, sent.RequestURI)
		}
		var body map[string]any
		if (*bodies)[0] != "" && json.Unmarshal([]byte((*bodies)[0]), &body) != nil || !reflect.DeepEqual(body, vector.Body) {
			t.Error(vector.Name, (*bodies)[0])
		}
	}
}

var tokenRequest = CreateUserTokenRequest{UserId: "u-1", Currency: "EUR"}

func TestLostAnswers(t *testing.T) {
	busy := `{"error":{"code":"temporarily-unavailable","message":"Busy."}}`
	client, requests, bodies := cashier(t, 0, "", 503, busy, 200, `{"token":"t"}`)
	answer, err := client.CreateUserToken(context.Background(), tokenRequest)
	if err != nil || answer.Token != "t" || len(*requests) != 3 || (*bodies)[0] != (*bodies)[2] {
		t.Error(answer, err, *bodies)
	}
	client, _, _ = cashier(t, 0, "")
	_, err = client.CreateUserToken(context.Background(), tokenRequest)
	var unavailable *UnavailableError
	if !errors.As(err, &unavailable) || !OutcomeUnknown(err) {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	refused := `{"error":{"code":"limit-max","message":"Too much.","params":{"max":"5.00"},"reference":"r-1","docs":"https://docs.example"}}`
	for _, each := range []struct {
		status  int
		body    string
		code    string
		unknown bool
	}{
		{422, refused, "limit-max", false},
		{500, "<h1>Oops</h1>", "unreadable", true},
		{302, "", "unreadable", true},
		{429, `{"error":{"code":"rate-limited","message":"","retryAfterSeconds":60}}`, "rate-limited", false},
	} {
		client, _, _ := cashier(t, each.status, each.body)
		_, err := client.CreateUserToken(context.Background(), tokenRequest)
		var found *APIError
		if !errors.As(err, &found) || found.Code != each.code || OutcomeUnknown(err) != each.unknown {
			t.Error(each.status, err)
		}
		if each.status == 422 && found.Docs != "https://docs.example" {
			t.Error(found.Docs)
		}
	}
	wrong := `{"error":{"code":"invalid-request","message":"Wrong.","fields":[{"path":"userId","message":"Required."}]}}`
	named, _, _ := cashier(t, 400, wrong)
	if _, err := named.CreateUserToken(context.Background(), tokenRequest); err.Error() != "Wrong. (400 invalid-request) userId: Required." {
		t.Error(err)
	}
	client, _, _ := cashier(t, 200, "{}")
	if _, err := client.ReadBalances(context.Background(), ReadBalancesRequest{}); err == nil {
		t.Error("a request without a user was sent")
	}
}

func TestWrongSettings(t *testing.T) {
	for _, settings := range [][2]string{{"ftp://pay.example.com", "sk"}, {"https://pay.example.com", ""}} {
		if _, err := NewClient(settings[0], settings[1]); err == nil {
			t.Error(settings)
		}
	}
}
