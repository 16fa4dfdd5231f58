"""`python3 -m unittest discover sdks/python/tests`. CASHIER_URL names a server that answers as the tests expect; see scripts/sdks.mjs."""

import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from opencashier import (
    CashierApiError,
    CashierUnavailableError,
    OperatorClient,
    WebhookVerificationError,
    handle_bonus_call,
    handle_wallet_call,
    verify_webhook,
)
from opencashier.client import Response

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "vectors"


def vectors(name):
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def snake(name):
    return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in name)


def outcome(vector, body):
    try:
        event = verify_webhook(body, vector["headers"], vector["secrets"], now=vector["now"])
    except WebhookVerificationError as error:
        return error.code
    except ValueError:
        return "bad-secret"
    return "ok" if event["id"] == vector["headers"]["webhook-id"] else "another id"


class Webhooks(unittest.TestCase):
    def test_every_vector(self):
        found = vectors("webhooks.json")
        self.assertGreater(len(found), 30)
        for vector in found:
            with self.subTest(vector["name"]):
                self.assertEqual(outcome(vector, vector["body"]), vector["expect"])
                self.assertEqual(outcome(vector, vector["body"].encode()), vector["expect"])

    def test_one_secret_may_be_a_text_and_headers_have_any_case(self):
        vector = vectors("webhooks.json")[0]
        headers = {name.title(): value for name, value in vector["headers"].items()}
        event = verify_webhook(vector["body"], headers, vector["secrets"][0], now=vector["now"])
        self.assertEqual(event["type"], "deposit.processed")


class WalletOfVector:
    def __init__(self, outcome):
        self.outcome, self.reached = outcome, []

    def _answer(self, kind, call):
        self.reached.append((kind, call["id"]))
        if self.outcome == "throws":
            raise RuntimeError("unknown")
        return self.outcome

    def balance(self, call):
        return self._answer("balance", call)

    def debit(self, call):
        return self._answer("debit", call)

    def credit(self, call):
        return self._answer("credit", call)

    def release(self, call):
        return self._answer("release", call)


def wallet_outcome(vector, wallet):
    try:
        response = handle_wallet_call(
            vector["body"].encode(), vector["headers"], wallet, vector["secrets"], now=vector["now"]
        )
    except RuntimeError:
        return "unknown"
    except ValueError as error:
        return "bad-balance" if "balance" in str(error) else "bad-secret"
    return {"status": response.status, "body": json.loads(response.body)}


class WalletCalls(unittest.TestCase):
    def test_every_vector(self):
        found = vectors("wallet-calls.json")
        self.assertGreater(len(found), 30)
        for vector in found:
            with self.subTest(vector["name"]):
                wallet = WalletOfVector(vector["wallet"])
                self.assertEqual(wallet_outcome(vector, wallet), vector["expect"])
                reached = [(vector["reaches"], vector["headers"]["webhook-id"])] if "reaches" in vector else []
                self.assertEqual(wallet.reached, reached)

    def test_a_float_is_no_balance(self):
        vector = vectors("wallet-calls.json")[0]
        self.assertEqual(wallet_outcome(vector, WalletOfVector({"balance": 25.0})), "bad-balance")


def bonus_outcome(vector, reached):
    def bonuses(question):
        reached.append(question)
        if vector["bonuses"] == "throws":
            raise RuntimeError("unknown")
        return tuple(vector["bonuses"])

    try:
        response = handle_bonus_call(
            vector["body"].encode(), vector["headers"], bonuses, vector["secrets"], now=vector["now"]
        )
    except RuntimeError:
        return "unknown"
    except ValueError:
        return "bad-secret"
    return {"status": response.status, "body": json.loads(response.body)}


class BonusQuestions(unittest.TestCase):
    def test_every_vector(self):
        found = vectors("bonus-questions.json")
        self.assertGreater(len(found), 15)
        for vector in found:
            with self.subTest(vector["name"]):
                reached = []
                self.assertEqual(bonus_outcome(vector, reached), vector["expect"])
                expected = vector.get("reaches", {})
                self.assertEqual([{key: each.get(key) for key in expected} for each in reached], [expected] if expected else [])
                if expected:
                    self.assertEqual("currency" in reached[0], "currency" in expected)


def answering(*responses):
    sent, pauses, left = [], [], list(responses)

    def transport(method, url, headers, body, _timeout):
        sent.append((method, url, headers, body))
        response = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(response, Exception):
            raise response
        status, answer = response
        return Response(status, {}, answer if isinstance(answer, bytes) else json.dumps(answer).encode())

    client = OperatorClient("https://pay.example.com/", "sk_test", transport=transport, pause=pauses.append)
    return client, sent, pauses


TOKEN = {"userId": "u-1", "currency": "EUR"}
BUSY = (503, {"error": {"code": "temporarily-unavailable", "message": "Busy."}})


class Client(unittest.TestCase):
    def test_every_request(self):
        for vector in vectors("requests.json"):
            with self.subTest(vector["name"]):
                client, sent, _ = answering((200, {}))
                method = getattr(client, snake(vector["call"]))
                method(vector["request"]) if vector["request"] else method()
                verb, url, headers, body = sent[0]
                self.assertEqual((verb, url), (vector["method"], "https://pay.example.com" + vector["path"]))
                self.assertEqual(None if body is None else json.loads(body), vector.get("body"))
                self.assertEqual(headers["authorization"], "Bearer sk_test")

    def test_a_lost_answer_is_repeated_and_its_outcome_stays_unknown(self):
        client, sent, pauses = answering(OSError("lost"), BUSY, (200, {"token": "t"}))
        self.assertEqual(client.create_user_token(TOKEN)["token"], "t")
        self.assertEqual((len({body for *_, body in sent}), pauses), (1, [0.2, 0.4]))
        client, sent, _ = answering(OSError("lost"))
        with self.assertRaises(CashierUnavailableError) as caught:
            client.create_user_token(TOKEN)
        self.assertTrue(caught.exception.outcome_unknown)
        self.assertEqual(len(sent), 3)

    def test_a_refusal_keeps_what_the_cashier_says(self):
        error = {"code": "insufficient-funds", "message": "Too much.", "params": {"max": "5.00"}, "reference": "r-1"}
        error["docs"] = "https://docs.example"
        client, sent, _ = answering((422, {"error": error}))
        with self.assertRaises(CashierApiError) as caught:
            client.create_user_token(TOKEN)
        found = caught.exception
        self.assertEqual((found.status, found.code, found.params), (422, "insufficient-funds", {"max": "5.00"}))
        self.assertEqual((found.reference, found.docs, found.outcome_unknown, len(sent)), ("r-1", "https://docs.example", False, 1))

    def test_the_text_of_a_refusal_names_each_wrong_field(self):
        fields = [{"path": "userId", "message": "Required."}, {"path": "currency", "message": "Unknown."}]
        client, _, _ = answering((400, {"error": {"code": "invalid-request", "message": "Wrong.", "fields": fields}}))
        with self.assertRaises(CashierApiError) as raised:
            client.create_user_token(TOKEN)
        self.assertEqual(str(raised.exception), "Wrong. userId: Required. currency: Unknown.")

    def test_a_page_of_a_proxy_and_a_long_pause_are_handed_back(self):
        client, _, _ = answering((500, b"<h1>Oops</h1>"))
        with self.assertRaises(CashierApiError) as caught:
            client.create_user_token(TOKEN)
        self.assertEqual((caught.exception.code, caught.exception.outcome_unknown), ("unreadable", True))
        client, sent, _ = answering((429, {"error": {"code": "rate-limited", "message": "", "retryAfterSeconds": 60}}))
        with self.assertRaises(CashierApiError):
            client.create_user_token(TOKEN)
        self.assertEqual(len(sent), 1)

    def test_wrong_settings_and_requests_are_refused_at_once(self):
        for address, key in (("ftp://pay.example.com", "sk"), ("https://pay.example.com", "")):
            with self.assertRaises(ValueError):
                OperatorClient(address, key)
        with self.assertRaises(ValueError):
            answering((200, {}))[0].read_balances({"userId": ""})

    @unittest.skipUnless("CASHIER_URL" in os.environ, "needs the server of scripts/sdks.mjs")
    def test_a_real_server(self):
        client = OperatorClient(os.environ["CASHIER_URL"], "sk_test", repeats=0)
        self.assertEqual(client.create_user_token({"userId": "good", "currency": "EUR"})["token"], "token of good")
        with self.assertRaises(CashierApiError) as caught:
            client.create_user_token({"userId": "refused", "currency": "EUR"})
        self.assertEqual(caught.exception.code, "limit-max")
        # A redirect must not carry the key elsewhere.
        with self.assertRaises(CashierApiError) as caught:
            client.create_user_token({"userId": "redirected", "currency": "EUR"})
        self.assertEqual(caught.exception.status, 502)


if __name__ == "__main__":
    unittest.main()
