"""OpenCashier for the backend of an operator: verified webhooks, the operator API, and calls to your own wallet. Needs only the standard library."""

from .client import OperatorClient
from .errors import CashierApiError, CashierError, CashierUnavailableError
from .generated.wallet import BalanceCall, CreditCall, DebitCall, ReleaseCall, WalletCall
from .generated.webhooks import WebhookEvent
from .wallet import Wallet, WalletDeclined, WalletDone, WalletResponse, handle_wallet_call
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "BalanceCall",
    "CashierApiError",
    "CashierError",
    "CashierUnavailableError",
    "CreditCall",
    "DebitCall",
    "OperatorClient",
    "ReleaseCall",
    "Wallet",
    "WalletCall",
    "WalletDeclined",
    "WalletDone",
    "WalletResponse",
    "WebhookEvent",
    "WebhookVerificationError",
    "handle_wallet_call",
    "verify_webhook",
]
