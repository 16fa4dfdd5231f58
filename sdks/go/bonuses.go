package opencashier

import (
	"context"
	"encoding/json"
	"net/http"
)

// BonusEngine answers the bonuses that the user sees, in this order. The cashier waits for a part of a second, so answer from what you know.
// An error means that the engine does not know. The cashier then shows the last answer.
type BonusEngine func(ctx context.Context, question BonusQuestion) ([]OwnBonus, error)

// HandleBonusCall verifies a question, hands it to the engine and shapes the answer. A question that is not the cashier's gets 401, and one
// that cannot be read gets 400. rawBody is the body as it arrived. It answers the error of the engine, or ErrBadSecret: answer 500 then.
func (v Verifier) HandleBonusCall(ctx context.Context, rawBody []byte, header http.Header, engine BonusEngine) (*CallResponse, error) {
	kind, body, refusal, err := v.readSignedCall(rawBody, header)
	if err != nil || refusal != nil {
		return refusal, err
	}
	if kind != "bonuses" {
		// A later version of the cashier may have other questions. It must not take silence for an answer.
		return respondToCall(http.StatusBadRequest, refused{"unknown-type"})
	}
	var question BonusQuestion
	if err := json.Unmarshal(body, &question); err != nil {
		return respondToCall(http.StatusBadRequest, refused{"bad-body"})
	}
	bonuses, err := engine(ctx, question)
	if err != nil {
		return nil, err
	}
	// A nil slice would be written as null.
	answer := BonusAnswer{Bonuses: append([]OwnBonus{}, bonuses...), Id: &question.Id, UserId: &question.UserId}
	return respondToCall(http.StatusOK, answer)
}

// BonusHandler serves the questions of the cashier over HTTP. An error of the engine answers 500 and goes to onError, if there is one.
func (v Verifier) BonusHandler(engine BonusEngine, onError func(*http.Request, error)) http.Handler {
	return serveCalls(func(r *http.Request, body []byte) (*CallResponse, error) {
		return v.HandleBonusCall(r.Context(), body, r.Header, engine)
	}, onError)
}
