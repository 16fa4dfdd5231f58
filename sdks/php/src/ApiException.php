<?php

declare(strict_types=1);

namespace OpenCashier;

/** The cashier answered with an error. Its message names each wrong field. */
final class ApiException extends CashierException
{
    /**
     * @param int $status HTTP status
     * @param string $errorCode stable, such as `insufficient-funds`; `unreadable` when the answer is not the cashier's
     * @param list<array{path: string, message: string}> $fields which fields of the request are wrong
     * @param array<string, mixed> $params values that belong to the code, such as `max`
     * @param string|null $reference finds the failure in the cashier's log
     * @param float|null $retryAfterSeconds how long to wait before the next call
     * @param string|null $docs the address of the page about the code
     */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly array $fields = [],
        public readonly array $params = [],
        public readonly ?string $reference = null,
        public readonly ?float $retryAfterSeconds = null,
        public readonly ?string $docs = null,
    ) {
        $faults = array_map(static fn (array $field): string => ($field['path'] ?? '') . ': ' . ($field['message'] ?? ''), $fields);
        parent::__construct(implode(' ', [$message, ...$faults]));
        $this->outcomeUnknown = $status >= 500;
    }
}
