"""Answers the calls of the cashier to an operator's own wallet."""

import re
from typing import Any, Mapping, NotRequired, Optional, Protocol, Sequence, TypedDict, Union

from .generated.wallet import BalanceCall, CreditCall, DebitCall, ReleaseCall
from .signed_call import CallResponse, read_signed_call, respond


class WalletDone(TypedDict):
    """balance is a decimal text in the currency of the call, such as "25.00". transactionId is your own id of the movement."""

    balance: str
    transactionId: NotRequired[str]


class WalletDeclined(TypedDict):
    """A debit that the wallet refuses for certain. Nothing was taken.

    declined is insufficient-funds, blocked, limit, unknown-user, other, or a code of your own. The user reads message.
    """

    declined: str
    message: NotRequired[str]
    balance: NotRequired[str]


class Wallet(Protocol):
    """What your wallet does. Each method carries out a call id once, and answers a repeat as it answered the first time.

    A method that does not know the outcome raises. The cashier then repeats the call.
    """

    def balance(self, call: BalanceCall) -> WalletDone: ...

    def debit(self, call: DebitCall) -> Union[WalletDone, WalletDeclined]: ...

    def credit(self, call: CreditCall) -> WalletDone: ...

    def release(self, call: ReleaseCall) -> WalletDone: ...


def handle_wallet_call(
    raw_body: Union[bytes, str],
    headers: Mapping[str, str],
    wallet: Wallet,
    secrets: Union[str, Sequence[str]],
    tolerance_seconds: int = 300,
    now: Optional[float] = None,
) -> CallResponse:
    """Verifies a call, hands it to its method and shapes the answer.

    A call that is not the cashier's gets 401, and one that cannot be read gets 400. raw_body is the body as it arrived, before anything has
    parsed it. secrets may be a list: name the old and the new one while you change the secret. now is in seconds since 1970.

    Raises what a method raises, and ValueError for a secret that is none or a balance that is no decimal text. Answer 500 then.
    """
    call = read_signed_call(raw_body, headers, secrets, tolerance_seconds, now)
    if isinstance(call, CallResponse):
        return call
    methods = {"balance": wallet.balance, "debit": wallet.debit, "credit": wallet.credit, "release": wallet.release}
    kind = call.get("type")
    method: Any = methods.get(kind) if isinstance(kind, str) else None
    if method is None:
        # A later version of the cashier may have other calls. It must not take silence for a yes.
        return respond(400, {"code": "unknown-type"})
    return respond(200, _answer_of(call, method(call)))


def _answer_of(call: Mapping[str, Any], outcome: Mapping[str, Any]) -> dict[str, Any]:
    echo = {name: call[name] for name in ("id", "userId", "currency", "amount") if name in call}
    if "declined" in outcome:
        answer = {"result": "declined", "code": outcome["declined"]}
        if outcome.get("message") is not None:
            answer["message"] = outcome["message"]
        if outcome.get("balance") is not None:
            answer["balance"] = _shown_balance(outcome["balance"])
        return {**answer, **echo}
    answer = {"result": "done", "balance": _shown_balance(outcome.get("balance"))}
    if outcome.get("transactionId") is not None:
        answer["transactionId"] = outcome["transactionId"]
    return {**answer, **echo}


def _shown_balance(balance: Any) -> str:
    """A balance below zero is 0 in the contract. A forced debit may take a wallet below zero. A float is refused."""
    if not isinstance(balance, str) or re.fullmatch(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?", balance) is None:
        raise ValueError('balance must be a decimal text such as "25.00".')
    return "0" if balance.startswith("-") else balance
