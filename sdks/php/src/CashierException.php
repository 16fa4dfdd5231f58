<?php

declare(strict_types=1);

namespace OpenCashier;

/**
 * A call that failed. If `$outcomeUnknown` is true, the cashier may have carried the call out. Call again with the same keys (`transferId`,
 * `refundId`, `decisionId`): the cashier carries each out once. Never tell a user that a payment has failed.
 */
abstract class CashierException extends \RuntimeException
{
    public bool $outcomeUnknown = true;
}
