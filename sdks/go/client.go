package opencashier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	firstPause   = 200 * time.Millisecond
	longestPause = 5 * time.Second
	longestBody  = 16 << 20
)

// Client has every call of the operator API as a method. Make it with NewClient.
//
// A call without an answer is repeated, with the same body: the cashier carries out each key of a request once.
type Client struct {
	// Timeout limits one attempt. NewClient sets 10 seconds.
	Timeout time.Duration
	// Repeats says how often a call without an answer is repeated. NewClient sets 2.
	Repeats int
	// HTTP sends the requests. It must not follow redirects, because the key goes to one address alone.
	HTTP *http.Client
	// Pause waits before a repeat. It ends early with the context.
	Pause func(context.Context, time.Duration) error

	address string
	key     string
}

// APIError is an answer of the cashier that is an error. Code is stable, such as insufficient-funds. Its text names each wrong field.
type APIError struct {
	Status            int
	Code              string         `json:"code"`
	Message           string         `json:"message"`
	Fields            []FieldProblem `json:"fields"`
	Params            map[string]any `json:"params"`
	Reference         string         `json:"reference"`
	RetryAfterSeconds float64        `json:"retryAfterSeconds"`
	// Docs is the address of the page about the code.
	Docs string `json:"docs"`
}

// FieldProblem names a field of the request, and why it was refused.
type FieldProblem struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

func (e *APIError) Error() string {
	text := fmt.Sprintf("%s (%d %s)", e.Message, e.Status, e.Code)
	for _, field := range e.Fields {
		text += fmt.Sprintf(" %s: %s", field.Path, field.Message)
	}
	return text
}

// UnavailableError says that the cashier did not answer in time, or could not be reached.
type UnavailableError struct{ Cause error }

func (e *UnavailableError) Error() string { return "the cashier did not answer: " + e.Cause.Error() }
func (e *UnavailableError) Unwrap() error { return e.Cause }

// OutcomeUnknown says whether the cashier may have carried out the call that failed. Call again with the same keys then. Never tell a user
// that a payment has failed.
func OutcomeUnknown(err error) bool {
	var refused *APIError
	if errors.As(err, &refused) {
		return refused.Status >= 500
	}
	var unavailable *UnavailableError
	return errors.As(err, &unavailable)
}

// NewClient checks the address and the key (sk_…).
func NewClient(cashierURL, operatorKey string) (*Client, error) {
	if !strings.HasPrefix(cashierURL, "https://") && !strings.HasPrefix(cashierURL, "http://") {
		return nil, errors.New("cashierURL must begin with https://")
	}
	if operatorKey == "" {
		return nil, errors.New("operatorKey is empty: is the variable set?")
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{
		Timeout: 10 * time.Second,
		Repeats: 2,
		HTTP:    &http.Client{CheckRedirect: stay},
		Pause:   waitFor,
		address: strings.TrimRight(cashierURL, "/"),
		key:     operatorKey,
	}, nil
}

func waitFor(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) call(ctx context.Context, method, path string, query []string, hasBody bool, request, response any) error {
	target, body, err := c.plan(path, query, request)
	if err != nil {
		return err
	}
	if !hasBody {
		body = nil
	}
	for attempt := 0; ; attempt++ {
		err := c.attempt(ctx, method, target, body, response)
		if err == nil || ctx.Err() != nil {
			return err
		}
		wanted := firstPause << attempt
		var refused *APIError
		if errors.As(err, &refused) {
			asked := time.Duration(refused.RetryAfterSeconds * float64(time.Second))
			// Who asks for a longer pause gets the decision back.
			if !isWorthRepeating(refused.Status) || asked > longestPause {
				return err
			}
			if asked > wanted {
				wanted = asked
			}
		}
		if attempt >= c.Repeats {
			return err
		}
		if c.Pause(ctx, wanted) != nil {
			return err
		}
	}
}

func isWorthRepeating(status int) bool {
	return status == 429 || status == 502 || status == 503 || status == 504
}

var pathPart = regexp.MustCompile(`\{(\w+)\}`)

// plan parts a request into the address and the body.
func (c *Client) plan(path string, query []string, request any) (string, []byte, error) {
	fields := map[string]json.RawMessage{}
	if request != nil {
		encoded, err := json.Marshal(request)
		if err != nil {
			return "", nil, err
		}
		if err := json.Unmarshal(encoded, &fields); err != nil {
			return "", nil, err
		}
	}
	var missing error
	target := pathPart.ReplaceAllStringFunc(path, func(part string) string {
		name := part[1 : len(part)-1]
		value := textOf(fields[name])
		delete(fields, name)
		if value == "" {
			missing = fmt.Errorf("%s must be a text", name)
		}
		return url.PathEscape(value)
	})
	if missing != nil {
		return "", nil, missing
	}
	var asked []string
	for _, name := range query {
		if value, isGiven := fields[name]; isGiven {
			asked = append(asked, name+"="+url.QueryEscape(textOf(value)))
			delete(fields, name)
		}
	}
	if len(asked) > 0 {
		target += "?" + strings.Join(asked, "&")
	}
	body, err := json.Marshal(fields)
	return c.address + target, body, err
}

func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func (c *Client) attempt(ctx context.Context, method, target string, body []byte, response any) error {
	limited, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	request, err := http.NewRequestWithContext(limited, method, target, content)
	if err != nil {
		return err
	}
	request.Header.Set("authorization", "Bearer "+c.key)
	request.Header.Set("accept", "application/json")
	if body != nil {
		request.Header.Set("content-type", "application/json")
	}
	answer, err := c.HTTP.Do(request)
	if err != nil {
		return &UnavailableError{err}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, longestBody))
	if err != nil {
		return &UnavailableError{err}
	}
	if answer.StatusCode >= 200 && answer.StatusCode < 300 && json.Unmarshal(text, response) == nil {
		return nil
	}
	return errorOf(answer, text)
}

func errorOf(answer *http.Response, text []byte) error {
	var wrapped struct {
		Error APIError `json:"error"`
	}
	if json.Unmarshal(text, &wrapped) != nil || wrapped.Error.Code == "" {
		status := answer.StatusCode
		if status < 400 {
			status = http.StatusBadGateway
		}
		// A proxy between here and the cashier may answer with a page.
		message := fmt.Sprintf("The answer %d is not the cashier's.", answer.StatusCode)
		return &APIError{Status: status, Code: "unreadable", Message: message}
	}
	found := wrapped.Error
	found.Status = answer.StatusCode
	if seconds, err := strconv.ParseFloat(answer.Header.Get("retry-after"), 64); err == nil && found.RetryAfterSeconds == 0 {
		found.RetryAfterSeconds = seconds
	}
	return &found
}
