<?php

declare(strict_types=1);

namespace OpenCashier;

/** Not a webhook of your cashier, or changed or delayed on its way. Answer 401 and do nothing else. */
final class VerificationException extends \RuntimeException
{
    /** @param string $reason stable: missing-header, bad-timestamp, too-old, too-new, bad-signature or bad-body */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
