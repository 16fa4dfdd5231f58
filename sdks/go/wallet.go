package opencashier

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"
)

// WalletDone is a call that the wallet has carried out.
type WalletDone struct {
	// Balance is what the user can withdraw now: a decimal text in the currency of the call, such as "25.00".
	Balance string
	// TransactionID is your own id of the movement, for reconciliation. It may be empty.
	TransactionID string
}

// WalletDeclined is the error of a debit that the wallet refuses for certain. Nothing was taken.
type WalletDeclined struct {
	// Code is insufficient-funds, blocked, limit, unknown-user, other, or one of your own.
	Code string
	// Message is for the user, in the user's language. It may be empty.
	Message string
	// Balance is what the user can withdraw. It may be empty.
	Balance string
}

func (d *WalletDeclined) Error() string { return "the wallet declines: " + d.Code }

// Wallet is what your wallet does. Each method carries out a call ID once, and answers a repeat as it answered the first time. A method
// that does not know the outcome answers an error. The cashier then repeats the call. Debit declines with a *WalletDeclined.
type Wallet interface {
	Balance(ctx context.Context, call WalletCall) (WalletDone, error)
	Debit(ctx context.Context, call WalletCall) (WalletDone, error)
	Credit(ctx context.Context, call WalletCall) (WalletDone, error)
	Release(ctx context.Context, call WalletCall) (WalletDone, error)
}

// ErrBadBalance says that a method of the wallet has answered a balance that is no decimal text.
var ErrBadBalance = errors.New(`balance must be a decimal text such as "25.00"`)

var balanceForm = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`)

// HandleWalletCall verifies a call, hands it to its method and shapes the answer. A call that is not the cashier's gets 401, and one that
// cannot be read gets 400. rawBody is the body as it arrived. It answers the error of a method, ErrBadBalance or ErrBadSecret: answer 500
// then.
func (v Verifier) HandleWalletCall(ctx context.Context, rawBody []byte, header http.Header, wallet Wallet) (*CallResponse, error) {
	kind, body, refusal, err := v.readSignedCall(rawBody, header)
	if err != nil || refusal != nil {
		return refusal, err
	}
	method := methodOf(wallet, kind)
	if method == nil {
		// A later version of the cashier may have other calls. It must not take silence for a yes.
		return respondToCall(http.StatusBadRequest, refused{"unknown-type"})
	}
	var call WalletCall
	if err := json.Unmarshal(body, &call); err != nil {
		return respondToCall(http.StatusBadRequest, refused{"bad-body"})
	}
	done, err := method(ctx, call)
	var declined *WalletDeclined
	if err != nil && !(call.Type == "debit" && errors.As(err, &declined)) {
		return nil, err
	}
	answer, err := answerOf(call, done, declined)
	if err != nil {
		return nil, err
	}
	return respondToCall(http.StatusOK, answer)
}

// WalletHandler serves the calls of the cashier over HTTP. An error of the wallet answers 500 and goes to onError, if there is one.
func (v Verifier) WalletHandler(wallet Wallet, onError func(*http.Request, error)) http.Handler {
	return serveCalls(func(r *http.Request, body []byte) (*CallResponse, error) {
		return v.HandleWalletCall(r.Context(), body, r.Header, wallet)
	}, onError)
}

type walletMethod func(context.Context, WalletCall) (WalletDone, error)

func methodOf(wallet Wallet, kind string) walletMethod {
	switch kind {
	case "balance":
		return wallet.Balance
	case "debit":
		return wallet.Debit
	case "credit":
		return wallet.Credit
	case "release":
		return wallet.Release
	}
	return nil
}

func answerOf(call WalletCall, done WalletDone, declined *WalletDeclined) (*WalletAnswer, error) {
	answer := WalletAnswer{Id: &call.Id, UserId: &call.UserId, Currency: &call.Currency, Amount: call.Amount}
	balance := done.Balance
	if declined != nil {
		answer.Result, answer.Code, answer.Message = "declined", &declined.Code, given(declined.Message)
		balance = declined.Balance
	} else {
		answer.Result, answer.TransactionId = "done", given(done.TransactionID)
	}
	if declined != nil && balance == "" {
		return &answer, nil
	}
	if !balanceForm.MatchString(balance) {
		return nil, ErrBadBalance
	}
	// A balance below zero is 0 in the contract. A forced debit may take a wallet below zero.
	if strings.HasPrefix(balance, "-") {
		balance = "0"
	}
	answer.Balance = &balance
	return &answer, nil
}

func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
