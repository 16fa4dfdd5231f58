<?php

declare(strict_types=1);

namespace OpenCashier;

use OpenCashier\Generated\OperatorApi;

/**
 * Every call of the operator API as a method. A request is one array: parts of the path, query and body together. Write an empty object
 * inside another one as `new \stdClass()`, because an empty array is a list.
 *
 * A call without an answer is repeated, with the same body: the cashier carries out each key of a request once. Methods throw an
 * ApiException for an answer that is an error, and an UnavailableException without an answer.
 */
final class OperatorClient extends OperatorApi
{
    private const WORTH_REPEATING = [429, 502, 503, 504];
    private const FIRST_PAUSE_MS = 200;
    private const LONGEST_PAUSE_MS = 5000;

    private readonly string $address;
    /** @var \Closure(string, string, array<string, string>, ?string, float): array{int, array<string, string>, string} */
    private readonly \Closure $transport;
    /** @var \Closure(int): void */
    private readonly \Closure $pause;

    /**
     * @param string $operatorKey `sk_…`
     * @param float $timeoutSeconds limits connecting, and each read of an answer
     * @param int $repeats how often a call without an answer is repeated
     * @param \Closure|null $transport sends a request, and throws an UnavailableException without an answer; null: streams of PHP
     * @param \Closure|null $pause waits for milliseconds; null: usleep
     */
    public function __construct(
        string $cashierUrl,
        private readonly string $operatorKey,
        private readonly float $timeoutSeconds = 10.0,
        private readonly int $repeats = 2,
        ?\Closure $transport = null,
        ?\Closure $pause = null,
    ) {
        if (preg_match('~^https?://~', $cashierUrl) !== 1) {
            throw new \InvalidArgumentException('cashierUrl must begin with https://');
        }
        if ($operatorKey === '') {
            throw new \InvalidArgumentException('operatorKey is empty. Is the variable set?');
        }
        $this->address = rtrim($cashierUrl, '/');
        $this->transport = $transport ?? self::send(...);
        $this->pause = $pause ?? static function (int $milliseconds): void {
            usleep($milliseconds * 1000);
        };
    }

    protected function call(string $method, string $path, array $query, ?array $maps, array $request): array
    {
        $url = $this->address . preg_replace_callback('/\{(\w+)\}/', function (array $part) use (&$request): string {
            $value = $request[$part[1]] ?? null;
            unset($request[$part[1]]);
            if (!is_string($value) || $value === '') {
                throw new \InvalidArgumentException("$part[1] must be a text.");
            }
            return rawurlencode($value);
        }, $path);
        $asked = [];
        foreach ($query as $name) {
            if (isset($request[$name])) {
                $asked[$name] = $request[$name];
            }
            unset($request[$name]);
        }
        $url .= $asked === [] ? '' : '?' . http_build_query($asked, '', '&', PHP_QUERY_RFC3986);
        $headers = ['authorization' => "Bearer $this->operatorKey", 'accept' => 'application/json'];
        $body = null;
        if ($maps !== null) {
            $headers['content-type'] = 'application/json';
            foreach ($maps as $name) {
                if (($request[$name] ?? null) === []) {
                    $request[$name] = new \stdClass();
                }
            }
            $body = json_encode((object) $request, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        }
        for ($attempt = 0; ; $attempt++) {
            try {
                return $this->attempt($method, $url, $headers, $body);
            } catch (CashierException $failure) {
                $wanted = 0;
                if ($failure instanceof ApiException) {
                    $wanted = (int) (($failure->retryAfterSeconds ?? 0) * 1000);
                    if (!in_array($failure->status, self::WORTH_REPEATING, true)) {
                        throw $failure;
                    }
                }
                // Who asks for a longer pause gets the decision back.
                if ($attempt >= $this->repeats || $wanted > self::LONGEST_PAUSE_MS) {
                    throw $failure;
                }
                ($this->pause)(max($wanted, self::FIRST_PAUSE_MS * 2 ** $attempt));
            }
        }
    }

    /**
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    private function attempt(string $method, string $url, array $headers, ?string $body): array
    {
        [$status, $answered, $text] = ($this->transport)($method, $url, $headers, $body, $this->timeoutSeconds);
        $answer = json_decode($text, true);
        if ($status >= 200 && $status < 300 && is_array($answer)) {
            return $answer;
        }
        $error = is_array($answer) ? ($answer['error'] ?? null) : null;
        if (!is_array($error) || !is_string($error['code'] ?? null)) {
            // A proxy between here and the cashier may answer with a page.
            throw new ApiException($status < 400 ? 502 : $status, 'unreadable', "The answer $status is not the cashier's.");
        }
        $seconds = $error['retryAfterSeconds'] ?? $answered['retry-after'] ?? null;
        throw new ApiException(
            $status,
            $error['code'],
            (string) ($error['message'] ?? $error['code']),
            $error['fields'] ?? [],
            $error['params'] ?? [],
            $error['reference'] ?? null,
            is_numeric($seconds) ? (float) $seconds : null,
            is_string($error['docs'] ?? null) ? $error['docs'] : null,
        );
    }

    /**
     * @param array<string, string> $headers
     * @return array{int, array<string, string>, string}
     */
    private static function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): array
    {
        $lines = array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($headers), $headers);
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => $lines,
            'content' => $body ?? '',
            'timeout' => $timeoutSeconds,
            'ignore_errors' => true,
            // The key goes to this address and to no other.
            'follow_location' => 0,
        ]]);
        $text = @file_get_contents($url, false, $context);
        // Set by file_get_contents in this scope.
        $received = $http_response_header ?? [];
        if ($text === false || preg_match('~^HTTP/\S+ (\d{3})~', $received[0] ?? '', $match) !== 1) {
            throw new UnavailableException('The cashier did not answer.');
        }
        $named = [];
        foreach ($received as $line) {
            [$name, $value] = [...explode(':', $line, 2), ''];
            $named[strtolower($name)] = trim($value);
        }
        return [(int) $match[1], $named, $text];
    }
}
