<?php

declare(strict_types=1);

namespace OpenCashier;

/**
 * Webhooks by the Standard Webhooks scheme: HMAC-SHA256 over `id.timestamp.body`.
 *
 * @phpstan-import-type WebhookEvent from \OpenCashier\Generated\OperatorApi
 */
final class Webhook
{
    /**
     * Verifies a webhook and reads it. The answer has the `webhook-id` as `id`.
     *
     * @param string $rawBody the body as it arrived: `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers by name in any case, as `getallheaders()` answers them
     * @param string|list<string> $secrets name the old and the new one while you change the secret
     * @param int $toleranceSeconds how far the sender's clock and yours may differ
     * @param int|null $now seconds since 1970; null: your clock
     * @return WebhookEvent
     * @throws VerificationException for a message that is not to be trusted
     * @throws \InvalidArgumentException for a secret that is none
     */
    public static function verify(
        string $rawBody,
        array $headers,
        string|array $secrets,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): array {
        [$id, $event] = self::verifySignature($rawBody, $headers, $secrets, $toleranceSeconds, $now);
        if (!is_string($event['type'] ?? null)) {
            throw new VerificationException('bad-body', 'The body names no type.');
        }
        return [...$event, 'id' => $id];
    }

    /**
     * The part that webhooks and calls to a wallet share.
     *
     * @internal
     * @param array<string, string|list<string>> $headers
     * @param string|list<string> $secrets
     * @return array{string, array<string, mixed>} the `webhook-id` and the body
     * @throws VerificationException|\InvalidArgumentException as `verify`
     */
    public static function verifySignature(
        string $rawBody,
        array $headers,
        string|array $secrets,
        int $toleranceSeconds,
        ?int $now,
    ): array {
        $keys = array_map(self::keyOf(...), is_string($secrets) ? [$secrets] : $secrets);
        // Without a secret nothing could be refused.
        if ($keys === []) {
            throw new \InvalidArgumentException('verify needs at least one secret.');
        }
        $named = array_change_key_case($headers);
        $id = self::header($named, 'webhook-id');
        $timestamp = self::header($named, 'webhook-timestamp');
        $signatures = explode(' ', self::header($named, 'webhook-signature'));
        self::checkTime($timestamp, $toleranceSeconds, $now ?? time());
        if (!self::isSigned($keys, "$id.$timestamp.$rawBody", $signatures)) {
            throw new VerificationException('bad-signature', 'No signature fits the body and a secret.');
        }
        // As an object, because an array of PHP does not say whether it was a list.
        if (!json_decode($rawBody) instanceof \stdClass) {
            throw new VerificationException('bad-body', 'The body is not a JSON object.');
        }
        return [$id, json_decode($rawBody, true)];
    }

    private static function keyOf(string $secret): string
    {
        if (preg_match('~^whsec_([A-Za-z0-9+/]{20,}={0,2})$~D', $secret, $match) !== 1) {
            throw new \InvalidArgumentException('A webhook secret is whsec_ and base64. Is the variable set?');
        }
        return (string) base64_decode($match[1]);
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $name): string
    {
        $value = $headers[$name] ?? '';
        $text = is_array($value) ? ($value[0] ?? '') : $value;
        if ($text === '') {
            throw new VerificationException('missing-header', "The header $name is missing.");
        }
        return $text;
    }

    private static function checkTime(string $timestamp, int $toleranceSeconds, int $now): void
    {
        if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
            throw new VerificationException('bad-timestamp', 'webhook-timestamp must be seconds since 1970.');
        }
        $age = $now - (int) $timestamp;
        if ($age > $toleranceSeconds) {
            throw new VerificationException('too-old', "The webhook was sent $age seconds ago.");
        }
        if ($age < -$toleranceSeconds) {
            throw new VerificationException('too-new', 'The webhook is ' . -$age . ' seconds ahead of this clock.');
        }
    }

    /**
     * @param list<string> $keys
     * @param list<string> $signatures
     */
    private static function isSigned(array $keys, string $signed, array $signatures): bool
    {
        foreach ($keys as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
            foreach ($signatures as $given) {
                if (hash_equals($expected, $given)) {
                    return true;
                }
            }
        }
        return false;
    }
}
