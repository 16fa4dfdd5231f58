"""OpenCashier for the backend of an operator: verified webhooks and the operator API. Needs only the standard library."""

from .client import OperatorClient
from .errors import CashierApiError, CashierError, CashierUnavailableError
from .generated.webhooks import WebhookEvent
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "CashierApiError",
    "CashierError",
    "CashierUnavailableError",
    "OperatorClient",
    "WebhookEvent",
    "WebhookVerificationError",
    "verify_webhook",
]
