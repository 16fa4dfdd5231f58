"""OpenCashier for the backend of an operator: verified webhooks, the operator API, and calls to your own wallet and bonus engine. Needs only the standard library."""

from .bonuses import handle_bonus_call
from .client import OperatorClient
from .errors import CashierApiError, CashierError, CashierUnavailableError
from .generated.bonuses import BonusQuestion
from .generated.operator_api import OwnBonus
from .generated.wallet import BalanceCall, CreditCall, DebitCall, ReleaseCall, WalletCall
from .generated.webhooks import WebhookEvent
from .signed_call import CallResponse
from .wallet import Wallet, WalletDeclined, WalletDone, handle_wallet_call
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "BalanceCall",
    "BonusQuestion",
    "CallResponse",
    "CashierApiError",
    "CashierError",
    "CashierUnavailableError",
    "CreditCall",
    "DebitCall",
    "OperatorClient",
    "OwnBonus",
    "ReleaseCall",
    "Wallet",
    "WalletCall",
    "WalletDeclined",
    "WalletDone",
    "WebhookEvent",
    "WebhookVerificationError",
    "handle_bonus_call",
    "handle_wallet_call",
    "verify_webhook",
]
