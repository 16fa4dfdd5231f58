<?php

declare(strict_types=1);

namespace OpenCashier;

/**
 * Answers the question of the cashier to an operator's own bonus engine.
 *
 * @phpstan-import-type BonusQuestion from \OpenCashier\Generated\BonusTypes
 * @phpstan-import-type OwnBonus from \OpenCashier\Generated\OperatorApi
 */
final class BonusCall
{
    /**
     * Verifies a question, hands it to your function and shapes the answer. A question that is not the cashier's gets 401, and one that
     * cannot be read gets 400.
     *
     * @param string $rawBody the body as it arrived: `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers by name in any case, as `getallheaders()` answers them
     * @param callable(BonusQuestion): list<OwnBonus> $bonuses the bonuses that the user sees, in this order. The cashier waits for a part
     *     of a second, so answer from what you know
     * @param string|list<string> $secrets name the old and the new one while you change the secret
     * @param int $toleranceSeconds how far the sender's clock and yours may differ
     * @param int|null $now seconds since 1970; null: your clock
     * @throws \InvalidArgumentException for a secret that is none: answer 500 then
     * @throws \Throwable what the function throws: answer 500 then, and the cashier shows the last answer
     */
    public static function handle(
        string $rawBody,
        array $headers,
        callable $bonuses,
        string|array $secrets,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): CallResponse {
        $call = SignedCall::read($rawBody, $headers, $secrets, $toleranceSeconds, $now);
        if ($call instanceof CallResponse) {
            return $call;
        }
        if (($call['type'] ?? null) !== 'bonuses') {
            // A later version of the cashier may have other questions. It must not take silence for an answer.
            return SignedCall::respond(400, ['code' => 'unknown-type']);
        }
        // PHP would write an array with gaps, such as that of array_filter, as an object.
        $answer = ['bonuses' => array_values($bonuses($call)), 'id' => $call['id'], 'userId' => $call['userId']];
        return SignedCall::respond(200, $answer);
    }
}
