"""Answers the question of the cashier to an operator's own bonus engine."""

from typing import Callable, Mapping, Optional, Sequence, Union, cast

from .generated.bonuses import BonusQuestion
from .generated.operator_api import OwnBonus
from .signed_call import CallResponse, read_signed_call, respond


def handle_bonus_call(
    raw_body: Union[bytes, str],
    headers: Mapping[str, str],
    bonuses: Callable[[BonusQuestion], Sequence[OwnBonus]],
    secrets: Union[str, Sequence[str]],
    tolerance_seconds: int = 300,
    now: Optional[float] = None,
) -> CallResponse:
    """Verifies a question, hands it to your function and shapes the answer.

    bonuses answers the bonuses that the user sees, in this order. The cashier waits for a part of a second, so answer from what you know.
    A question that is not the cashier's gets 401, and one that cannot be read gets 400. raw_body is the body as it arrived, before anything
    has parsed it. secrets may be a list: name the old and the new one while you change the secret. now is in seconds since 1970.

    Raises what the function raises, and ValueError for a secret that is none. Answer 500 then: the cashier shows the last answer.
    """
    call = read_signed_call(raw_body, headers, secrets, tolerance_seconds, now)
    if isinstance(call, CallResponse):
        return call
    if call.get("type") != "bonuses":
        # A later version of the cashier may have other questions. It must not take silence for an answer.
        return respond(400, {"code": "unknown-type"})
    found = bonuses(cast(BonusQuestion, call))
    return respond(200, {"bonuses": list(found), "id": call["id"], "userId": call["userId"]})
