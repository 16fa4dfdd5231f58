<?php

declare(strict_types=1);

namespace OpenCashier;

/** The answer to a call of the cashier. Send it as it is. */
final class CallResponse
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }
}
