<?php

/** `php sdks/php/tests/run.php`. CASHIER_URL names a server that answers as the tests expect; see scripts/sdks.mjs. */

declare(strict_types=1);

use OpenCashier\ApiException;
use OpenCashier\BonusCall;
use OpenCashier\OperatorClient;
use OpenCashier\UnavailableException;
use OpenCashier\VerificationException;
use OpenCashier\Wallet;
use OpenCashier\WalletCall;
use OpenCashier\Webhook;

spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/../src/' . str_replace(['OpenCashier\\', '\\'], ['', '/'], $class) . '.php';
});
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    // An error that the code has silenced with @ is its own business.
    if ((error_reporting() & $level) === 0) {
        return false;
    }
    throw new ErrorException($message, 0, $level, $file, $line);
});

$failures = 0;
$checks = 0;

function same(string $name, mixed $found, mixed $expected): void
{
    global $failures, $checks;
    $checks++;
    if ($found !== $expected) {
        $failures++;
        fwrite(STDERR, "$name: found " . json_encode($found) . ', expected ' . json_encode($expected) . "\n");
    }
}

/** @return list<array<string, mixed>> */
function vectors(string $name): array
{
    return json_decode((string) file_get_contents(__DIR__ . "/../../vectors/$name"), true, flags: JSON_THROW_ON_ERROR);
}

function thrownBy(callable $action): ?Throwable
{
    try {
        $action();
    } catch (Throwable $thrown) {
        return $thrown;
    }
    return null;
}

foreach (vectors('webhooks.json') as $vector) {
    $verify = static fn (): array => Webhook::verify($vector['body'], $vector['headers'], $vector['secrets'], now: $vector['now']);
    $thrown = thrownBy($verify);
    $outcome = match (true) {
        $thrown instanceof VerificationException => $thrown->reason,
        $thrown instanceof InvalidArgumentException => 'bad-secret',
        $thrown !== null => $thrown->getMessage(),
        default => $verify()['id'] === $vector['headers']['webhook-id'] ? 'ok' : 'another id',
    };
    same($vector['name'], $outcome, $vector['expect']);
}
same('the vectors are there', $checks > 30, true);

[$first] = vectors('webhooks.json');
$named = array_combine(array_map('ucwords', array_keys($first['headers'])), array_map(static fn ($value) => [$value], $first['headers']));
same('headers in any case, as lists', Webhook::verify($first['body'], $named, $first['secrets'][0], now: $first['now'])['type'], 'deposit.processed');

/** Answers as a vector says, and remembers who asked. */
final class WalletOfVector implements Wallet
{
    /** @var list<string> */
    public array $reached = [];

    public function __construct(private readonly array|string $outcome)
    {
    }

    public function balance(array $call): array
    {
        return $this->answer('balance');
    }

    public function debit(array $call): array
    {
        return $this->answer('debit');
    }

    public function credit(array $call): array
    {
        return $this->answer('credit');
    }

    public function release(array $call): array
    {
        return $this->answer('release');
    }

    private function answer(string $type): array
    {
        $this->reached[] = $type;
        return is_array($this->outcome) ? $this->outcome : throw new RuntimeException('unknown');
    }
}

foreach (vectors('wallet-calls.json') as $vector) {
    $wallet = new WalletOfVector($vector['wallet']);
    try {
        $response = WalletCall::handle($vector['body'], $vector['headers'], $wallet, $vector['secrets'], now: $vector['now']);
        $outcome = ['status' => $response->status, 'body' => json_decode($response->body, true)];
        ksort($outcome['body']);
    } catch (RuntimeException) {
        $outcome = 'unknown';
    } catch (InvalidArgumentException $error) {
        $outcome = str_contains($error->getMessage(), 'balance') ? 'bad-balance' : 'bad-secret';
    }
    $expected = $vector['expect'];
    if (is_array($expected)) {
        ksort($expected['body']);
    }
    same($vector['name'], $outcome, $expected);
    same("{$vector['name']}: reached", $wallet->reached, isset($vector['reaches']) ? [$vector['reaches']] : []);
}
same('a float is no balance', thrownBy(static function (): void {
    [$call] = vectors('wallet-calls.json');
    WalletCall::handle($call['body'], $call['headers'], new WalletOfVector(['balance' => 25.0]), $call['secrets'], now: $call['now']);
}) instanceof InvalidArgumentException, true);

foreach (vectors('bonus-questions.json') as $vector) {
    $reached = [];
    $bonuses = static function (array $question) use ($vector, &$reached): array {
        $reached[] = $question;
        // An array with gaps, as array_filter makes it.
        return is_array($vector['bonuses']) ? array_filter([null, ...$vector['bonuses']]) : throw new RuntimeException('unknown');
    };
    try {
        $response = BonusCall::handle($vector['body'], $vector['headers'], $bonuses, $vector['secrets'], now: $vector['now']);
        $outcome = ['status' => $response->status, 'body' => json_decode($response->body, true)];
        ksort($outcome['body']);
    } catch (RuntimeException) {
        $outcome = 'unknown';
    } catch (InvalidArgumentException) {
        $outcome = 'bad-secret';
    }
    $expected = $vector['expect'];
    if (is_array($expected)) {
        ksort($expected['body']);
    }
    same($vector['name'], $outcome, $expected);
    $known = array_map(static fn (array $question): array => array_diff_key($question, ['later' => 0]), $reached);
    same("{$vector['name']}: reached", $known, isset($vector['reaches']) ? [$vector['reaches']] : []);
}

/** @return array{OperatorClient, ArrayObject<int, array<int, mixed>>, ArrayObject<int, int>} */
function answering(Throwable|array ...$answers): array
{
    $sent = new ArrayObject();
    $pauses = new ArrayObject();
    $transport = static function (string $method, string $url, array $headers, ?string $body) use (&$answers, $sent): array {
        $sent[] = [$method, $url, $headers, $body];
        $answer = count($answers) > 1 ? array_shift($answers) : $answers[0];
        if ($answer instanceof Throwable) {
            throw $answer;
        }
        return [$answer[0], [], is_string($answer[1]) ? $answer[1] : json_encode((object) $answer[1])];
    };
    $pause = static function (int $milliseconds) use ($pauses): void {
        $pauses[] = $milliseconds;
    };
    return [new OperatorClient('https://pay.example.com/', 'sk_test', transport: $transport, pause: $pause), $sent, $pauses];
}

foreach (vectors('requests.json') as $vector) {
    [$client, $sent] = answering([200, []]);
    $client->{$vector['call']}($vector['request']);
    [$method, $url, $headers, $body] = $sent[0];
    same($vector['name'], [$method, $url], [$vector['method'], 'https://pay.example.com' . $vector['path']]);
    same($vector['name'], $body === null ? null : json_decode($body, true), $vector['body'] ?? null);
    same($vector['name'], $headers['authorization'], 'Bearer sk_test');
}

$token = ['userId' => 'u-1', 'currency' => 'EUR'];
$busy = [503, ['error' => ['code' => 'temporarily-unavailable', 'message' => 'Busy.']]];
[$client, $sent, $pauses] = answering(new UnavailableException(), $busy, [200, ['token' => 't']]);
same('a lost answer is repeated', $client->createUserToken($token)['token'], 't');
same('with pauses', (array) $pauses, [200, 400]);
same('with the same body', $sent[0][3], $sent[2][3]);
[$client] = answering(new UnavailableException());
same('its outcome stays unknown', thrownBy(static fn () => $client->createUserToken($token))->outcomeUnknown, true);

[$client, $sent] = answering([422, ['error' => ['code' => 'limit-max', 'message' => 'No.', 'params' => ['max' => '5.00'], 'docs' => 'https://docs.example']]]);
$refused = thrownBy(static fn () => $client->createUserToken($token));
same('a refusal is an ApiException', $refused instanceof ApiException, true);
same('and keeps what the cashier says', [$refused->status, $refused->errorCode, $refused->params, $refused->docs], [422, 'limit-max', ['max' => '5.00'], 'https://docs.example']);
same('and is not repeated', [$refused->outcomeUnknown, count($sent)], [false, 1]);
[$client] = answering([400, ['error' => ['code' => 'invalid-request', 'message' => 'Wrong.', 'fields' => [['path' => 'userId', 'message' => 'Required.'], ['path' => 'currency', 'message' => 'Unknown.']]]]]);
same('its message names each wrong field', thrownBy(static fn () => $client->createUserToken($token))->getMessage(), 'Wrong. userId: Required. currency: Unknown.');
[$client] = answering([500, '<h1>Oops</h1>']);
same('a page of a proxy', thrownBy(static fn () => $client->createUserToken($token))->errorCode, 'unreadable');

[$client, $sent] = answering([200, []]);
$client->putTexts(['locale' => 'en', 'version' => 0, 'staff' => 'eve', 'texts' => []]);
same('an empty object stays an object', str_contains($sent[0][3], '"texts":{}'), true);
same('a missing part of the path', thrownBy(static fn () => $client->readBalances(['userId' => ''])) instanceof InvalidArgumentException, true);
same('a wrong address', thrownBy(static fn () => new OperatorClient('ftp://x', 'sk')) instanceof InvalidArgumentException, true);
same('an empty key', thrownBy(static fn () => new OperatorClient('https://x', '')) instanceof InvalidArgumentException, true);

$address = getenv('CASHIER_URL');
if ($address !== false) {
    $client = new OperatorClient($address, 'sk_test', repeats: 0);
    $ask = static fn (string $userId): array => $client->createUserToken(['userId' => $userId, 'currency' => 'EUR']);
    same('a real answer', $ask('good')['token'], 'token of good');
    same('a real refusal', thrownBy(static fn () => $ask('refused'))->errorCode, 'limit-max');
    same('a redirect is not followed', thrownBy(static fn () => $ask('redirected'))->status, 502);
    $nobody = new OperatorClient('http://127.0.0.1:1', 'sk_test', repeats: 0);
    same('nobody answers', thrownBy(static fn () => $nobody->listReviews()) instanceof UnavailableException, true);
}

echo $failures === 0 ? "$checks checks passed\n" : "$failures of $checks checks failed\n";
exit($failures === 0 ? 0 : 1);
