<?php

declare(strict_types=1);

namespace OpenCashier;

/**
 * What your wallet does. Each method carries out a call `id` once, and answers a repeat as it answered the first time. A method that does
 * not know the outcome throws. The cashier then repeats the call.
 *
 * `balance` is a decimal text in the currency of the call, such as `25.00`. `transactionId` is your own id of the movement.
 *
 * @phpstan-import-type BalanceCall from \OpenCashier\Generated\WalletTypes
 * @phpstan-import-type DebitCall from \OpenCashier\Generated\WalletTypes
 * @phpstan-import-type CreditCall from \OpenCashier\Generated\WalletTypes
 * @phpstan-import-type ReleaseCall from \OpenCashier\Generated\WalletTypes
 * @phpstan-type WalletDone array{balance: string, transactionId?: string|null}
 * @phpstan-type WalletDeclined array{declined: string, message?: string|null, balance?: string|null}
 */
interface Wallet
{
    /**
     * @param BalanceCall $call
     * @return WalletDone
     */
    public function balance(array $call): array;

    /**
     * Declines with `insufficient-funds`, `blocked`, `limit`, `unknown-user`, `other`, or a code of your own. The user reads `message`.
     *
     * @param DebitCall $call
     * @return WalletDone|WalletDeclined
     */
    public function debit(array $call): array;

    /**
     * @param CreditCall $call
     * @return WalletDone
     */
    public function credit(array $call): array;

    /**
     * @param ReleaseCall $call
     * @return WalletDone
     */
    public function release(array $call): array;
}
