<?php

declare(strict_types=1);

namespace OpenCashier;

/**
 * What the calls of the cashier to an operator's wallet and to its bonus engine share.
 *
 * @internal
 */
final class SignedCall
{
    /**
     * @param array<string, string|list<string>> $headers
     * @param string|list<string> $secrets
     * @return array<string, mixed>|CallResponse the call, or the response for one that is not the cashier's (401) or cannot be read (400)
     * @throws \InvalidArgumentException for a secret that is none
     */
    public static function read(
        string $rawBody,
        array $headers,
        string|array $secrets,
        int $toleranceSeconds,
        ?int $now,
    ): array|CallResponse {
        try {
            [$id, $call] = Webhook::verifySignature($rawBody, $headers, $secrets, $toleranceSeconds, $now);
        } catch (VerificationException $refusal) {
            return self::respond($refusal->reason === 'bad-body' ? 400 : 401, ['code' => $refusal->reason]);
        }
        return ($call['id'] ?? null) === $id ? $call : self::respond(400, ['code' => 'bad-body']);
    }

    /** @param array<string, mixed> $body */
    public static function respond(int $status, array $body): CallResponse
    {
        $text = json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        return new CallResponse($status, ['content-type' => 'application/json'], $text);
    }
}
