<?php

declare(strict_types=1);

namespace OpenCashier;

/** Answers the calls of the cashier to an operator's own wallet. */
final class WalletCall
{
    /**
     * Verifies a call, hands it to its method and shapes the answer. A call that is not the cashier's gets 401, and one that cannot be
     * read gets 400.
     *
     * @param string $rawBody the body as it arrived: `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers by name in any case, as `getallheaders()` answers them
     * @param string|list<string> $secrets name the old and the new one while you change the secret
     * @param int $toleranceSeconds how far the sender's clock and yours may differ
     * @param int|null $now seconds since 1970; null: your clock
     * @throws \InvalidArgumentException for a secret that is none, or a balance that is no decimal text: answer 500 then
     * @throws \Throwable what a method throws: answer 500 then
     */
    public static function handle(
        string $rawBody,
        array $headers,
        Wallet $wallet,
        string|array $secrets,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): CallResponse {
        $call = SignedCall::read($rawBody, $headers, $secrets, $toleranceSeconds, $now);
        if ($call instanceof CallResponse) {
            return $call;
        }
        $outcome = match ($call['type'] ?? null) {
            'balance' => $wallet->balance($call),
            'debit' => $wallet->debit($call),
            'credit' => $wallet->credit($call),
            'release' => $wallet->release($call),
            default => null,
        };
        // A later version of the cashier may have other calls. It must not take silence for a yes.
        return $outcome === null
            ? SignedCall::respond(400, ['code' => 'unknown-type'])
            : SignedCall::respond(200, self::answerOf($call, $outcome));
    }

    /**
     * @param array<string, mixed> $call
     * @param array<string, mixed> $outcome
     * @return array<string, mixed>
     */
    private static function answerOf(array $call, array $outcome): array
    {
        $echo = array_intersect_key($call, ['id' => 0, 'userId' => 0, 'currency' => 0, 'amount' => 0]);
        $balance = $outcome['balance'] ?? null;
        $answer = array_key_exists('declined', $outcome)
            ? [
                'result' => 'declined',
                'code' => $outcome['declined'],
                'message' => $outcome['message'] ?? null,
                'balance' => $balance === null ? null : self::shownBalance($balance),
            ]
            : [
                'result' => 'done',
                'balance' => self::shownBalance($balance),
                'transactionId' => $outcome['transactionId'] ?? null,
            ];
        return array_filter($answer, static fn (mixed $value): bool => $value !== null) + $echo;
    }

    /** A balance below zero is 0 in the contract. A forced debit may take a wallet below zero. A float is refused. */
    private static function shownBalance(mixed $balance): string
    {
        if (!is_string($balance) || preg_match('/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/D', $balance) !== 1) {
            throw new \InvalidArgumentException('balance must be a decimal text such as "25.00".');
        }
        return $balance[0] === '-' ? '0' : $balance;
    }
}
