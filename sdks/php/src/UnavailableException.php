<?php

declare(strict_types=1);

namespace OpenCashier;

/** The cashier did not answer in time, or could not be reached. */
final class UnavailableException extends CashierException
{
}
