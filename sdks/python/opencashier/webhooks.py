"""Webhooks by the Standard Webhooks scheme: HMAC-SHA256 over ``id.timestamp.body``."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Optional, Sequence, Union, cast

from .generated.webhooks import WebhookEvent


class WebhookVerificationError(Exception):
    """Not a webhook of your cashier, or changed or delayed on its way. code is stable; answer 401 and do nothing else."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def verify_webhook(
    raw_body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    tolerance_seconds: int = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Verifies a webhook and reads it. The answer has the webhook-id as "id".

    raw_body is the body as it arrived, before anything has parsed it. secrets may be a list: name the old and the new one while you
    change the secret. now is in seconds since 1970.

    Raises WebhookVerificationError for a message that is not to be trusted, and ValueError for a secret that is none.
    """
    message_id, event = verify_signature(raw_body, headers, secrets, tolerance_seconds, now)
    if not isinstance(event.get("type"), str):
        raise WebhookVerificationError("bad-body", "The body names no type.")
    return cast(WebhookEvent, {**event, "id": message_id})


def verify_signature(
    raw_body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    tolerance_seconds: int,
    now: Optional[float],
) -> tuple[str, dict[str, Any]]:
    """The part that webhooks and calls to a wallet share. Answers the webhook-id and the body. Raises as verify_webhook."""
    keys = _keys_of([secrets] if isinstance(secrets, str) else secrets)
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    named = {name.lower(): value for name, value in headers.items()}
    message_id = _header(named, "webhook-id")
    timestamp = _header(named, "webhook-timestamp")
    signatures = _header(named, "webhook-signature")
    _check_time(timestamp, tolerance_seconds, time.time() if now is None else now)
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    given = [decoded for entry in signatures.split(" ") if (decoded := _decode(entry)) is not None]
    # Every pair is compared, in constant time each.
    if not any([hmac.compare_digest(mac, wanted) for mac in given for wanted in expected]):
        raise WebhookVerificationError("bad-signature", "No signature fits the body and a secret.")
    return message_id, _read(body)


def _keys_of(secrets: Sequence[str]) -> list[bytes]:
    # Without a secret nothing could be refused.
    if len(secrets) == 0:
        raise ValueError("verify_webhook needs at least one secret.")
    keys = []
    for secret in secrets:
        match = re.fullmatch(r"whsec_([A-Za-z0-9+/]{20,}={0,2})", secret)
        if match is None:
            raise ValueError("A webhook secret is whsec_ and base64. Is the variable set?")
        encoded = match.group(1).rstrip("=")
        keys.append(base64.b64decode(encoded + "=" * (-len(encoded) % 4)))
    return keys


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not isinstance(value, str) or value == "":
        raise WebhookVerificationError("missing-header", f"The header {name} is missing.")
    return value


def _check_time(timestamp: str, tolerance_seconds: int, now: float) -> None:
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        raise WebhookVerificationError("bad-timestamp", "webhook-timestamp must be seconds since 1970.")
    age = int(now) - int(timestamp)
    if age > tolerance_seconds:
        raise WebhookVerificationError("too-old", f"The webhook was sent {age} seconds ago.")
    if age < -tolerance_seconds:
        raise WebhookVerificationError("too-new", f"The webhook is {-age} seconds ahead of this clock.")


def _decode(entry: str) -> Optional[bytes]:
    if not entry.startswith("v1,"):
        return None
    try:
        return base64.b64decode(entry[3:], validate=True)
    except (binascii.Error, ValueError):
        return None


def _read(body: bytes) -> dict[str, Any]:
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise WebhookVerificationError("bad-body", "The body is not a JSON object.")
    return event
