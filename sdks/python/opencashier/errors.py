"""Why a call to the cashier has no answer."""

from typing import Any, Mapping, Optional, Sequence


class CashierError(Exception):
    """A call that failed.

    If outcome_unknown is True, the cashier may have carried the call out. Call again with the same keys (transferId, refundId,
    decisionId): the cashier carries each out once. Never tell a user that a payment has failed.
    """

    outcome_unknown = True


class CashierApiError(CashierError):
    """The cashier answered with an error. Its text names each wrong field.

    code is stable, such as insufficient-funds. docs is the page about it.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        fields: Sequence[Mapping[str, str]] = (),
        params: Optional[Mapping[str, Any]] = None,
        reference: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
        docs: Optional[str] = None,
    ) -> None:
        super().__init__(" ".join([message, *(f"{field.get('path')}: {field.get('message')}" for field in fields)]))
        self.status = status
        self.code = code
        self.fields = fields
        self.params = params or {}
        self.reference = reference
        self.retry_after_seconds = retry_after_seconds
        self.docs = docs
        self.outcome_unknown = status >= 500


class CashierUnavailableError(CashierError):
    """The cashier did not answer in time, or could not be reached."""
