"""A client of the operator API."""

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence

from .errors import CashierApiError, CashierError, CashierUnavailableError
from .generated.operator_api import OperatorApi

_WORTH_REPEATING = {429, 502, 503, 504}
_FIRST_PAUSE_S = 0.2
_LONGEST_PAUSE_S = 5.0


class Response(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


#: Sends a request within the seconds of the last argument. Raises OSError without an answer.
Transport = Callable[[str, str, Mapping[str, str], Optional[bytes], float], Response]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key goes to the address of the settings and to no other."""

    def redirect_request(self, *_arguments: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def _send(method: str, url: str, headers: Mapping[str, str], body: Optional[bytes], timeout_seconds: float) -> Response:
    request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
    try:
        with _opener.open(request, timeout=timeout_seconds) as answer:
            return Response(answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return Response(error.code, {name.lower(): value for name, value in error.headers.items()}, error.read())


class OperatorClient(OperatorApi):
    """Every call of the operator API as a method. A request is one dictionary: parts of the path, query and body together.

    timeout_seconds limits one attempt, connecting and each read of its answer. A call without an answer is repeated, with the same body:
    the cashier carries out each key of a request once.
    """

    def __init__(
        self,
        cashier_url: str,
        operator_key: str,
        timeout_seconds: float = 10.0,
        repeats: int = 2,
        transport: Transport = _send,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        if not cashier_url.startswith(("https://", "http://")):
            raise ValueError("cashier_url must begin with https://")
        if operator_key == "":
            raise ValueError("operator_key is empty. Is the variable set?")
        self._address = cashier_url.rstrip("/")
        self._key = operator_key
        self._timeout_seconds = timeout_seconds
        self._repeats = repeats
        self._transport = transport
        self._pause = pause

    def _call(
        self, method: str, path: str, query: Sequence[str], has_body: bool, request: Optional[Mapping[str, Any]]
    ) -> Any:
        given = dict(request or {})
        url = self._address + re.sub(r"\{(\w+)\}", lambda match: _part(given.pop(match.group(1), None), match), path)
        asked = {name: given.pop(name) for name in query if given.get(name) is not None}
        if asked:
            url += "?" + urllib.parse.urlencode(asked)
        headers = {"authorization": f"Bearer {self._key}", "accept": "application/json"}
        body = None
        if has_body:
            headers["content-type"] = "application/json"
            body = json.dumps(given).encode()
        attempt = 0
        while True:
            try:
                return self._attempt(method, url, headers, body)
            except CashierError as error:
                wanted = 0.0
                if isinstance(error, CashierApiError):
                    wanted = error.retry_after_seconds or 0.0
                    if error.status not in _WORTH_REPEATING:
                        raise
                # Who asks for a longer pause gets the decision back.
                if attempt >= self._repeats or wanted > _LONGEST_PAUSE_S:
                    raise
                self._pause(max(wanted, _FIRST_PAUSE_S * 2**attempt))
                attempt += 1

    def _attempt(self, method: str, url: str, headers: Mapping[str, str], body: Optional[bytes]) -> Any:
        try:
            response = self._transport(method, url, headers, body, self._timeout_seconds)
        except OSError as error:
            raise CashierUnavailableError("The cashier did not answer.") from error
        try:
            answer = json.loads(response.body)
        except ValueError:
            answer = None
        if 200 <= response.status < 300 and answer is not None:
            return answer
        raise _error_of(response, answer)


def _part(value: Any, match: "re.Match[str]") -> str:
    if not isinstance(value, str) or value == "":
        raise ValueError(f"{match.group(1)} must be a text.")
    return urllib.parse.quote(value, safe="")


def _error_of(response: Response, answer: Any) -> CashierApiError:
    error = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        # A proxy between here and the cashier may answer with a page.
        status = 502 if response.status < 400 else response.status
        return CashierApiError(status, "unreadable", f"The answer {response.status} is not the cashier's.")
    try:
        seconds = float(error.get("retryAfterSeconds", response.headers.get("retry-after", "")))
    except (TypeError, ValueError):
        seconds = None
    return CashierApiError(
        response.status,
        error["code"],
        str(error.get("message", error["code"])),
        error.get("fields", ()),
        error.get("params"),
        error.get("reference"),
        seconds,
        error.get("docs"),
    )
