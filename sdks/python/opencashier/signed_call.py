"""What the calls of the cashier to an operator's wallet and to its bonus engine share."""

import json
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

from .webhooks import WebhookVerificationError, verify_signature


class CallResponse(NamedTuple):
    """Send it as it is."""

    status: int
    headers: Mapping[str, str]
    body: str


def read_signed_call(
    raw_body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    tolerance_seconds: int,
    now: Optional[float],
) -> Union[dict[str, Any], CallResponse]:
    """Answers the call, or the response for one that is not the cashier's (401) or cannot be read (400).

    Raises ValueError for a secret that is none.
    """
    try:
        call_id, call = verify_signature(raw_body, headers, secrets, tolerance_seconds, now)
    except WebhookVerificationError as error:
        return respond(400 if error.code == "bad-body" else 401, {"code": error.code})
    return call if call.get("id") == call_id else respond(400, {"code": "bad-body"})


def respond(status: int, body: Mapping[str, Any]) -> CallResponse:
    return CallResponse(status, {"content-type": "application/json"}, json.dumps(body))
