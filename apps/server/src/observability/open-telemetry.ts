/**
 * Spans by OpenTelemetry, sent as OTLP over HTTP. Imported only when traces are on, since the SDK is large. Our own code keeps the
 * current span. Nothing is registered globally and no library is patched, so only facts that reach `Spans` are recorded.
 */
import {
  type Attributes,
  type Context,
  createTraceState,
  INVALID_SPAN_CONTEXT,
  type Link,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';
import { currentSpan, type Span, type SpanFacts, type Spans } from './spans.ts';

export interface TracingSettings {
  /** The full address to which traces are sent. */
  readonly url: string;
  readonly sampler: string;
  readonly samplerArgument: string | undefined;
}

/** The longest time that a stop waits for the collector. ms. */
const flushWithinMs = 2_000;

/** Every fact that may be sent, and its attribute in the trace. */
const attributeOf: { readonly [Fact in keyof Required<SpanFacts>]: string } = {
  transport: 'cashier.transport',
  call: 'cashier.call',
  route: 'http.route',
  operator: 'cashier.operator',
  payment: 'cashier.payment',
  method: 'cashier.method',
  provider: 'cashier.provider',
  statement: 'cashier.statement',
  outcome: 'cashier.outcome',
  attempt: 'cashier.attempt',
};
/** The form of our own ids and codes. A text of another form may be a person's, so it is not sent. */
const plainWord = /^[\w.:/*-]{1,100}$/;

/** @param limits for tests */
export function openTelemetrySpans(
  settings: TracingSettings,
  logger: Pick<Logger, 'warn'>,
  { sendWithinMs = 5_000 }: { readonly sendWithinMs?: number } = {},
): Spans & { flush(): Promise<void> } {
  const ids = new RandomIdGenerator();
  let wantedTraceId: string | undefined;
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    // The environment goes first: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'opencashier' }))
      .merge(detectResources({ detectors: [envDetector] })),
    idGenerator: {
      generateTraceId: () => wantedTraceId ?? ids.generateTraceId(),
      generateSpanId: () => ids.generateSpanId(),
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: quiet(new OTLPTraceExporter({ url: settings.url, timeoutMillis: sendWithinMs }), logger),
      }),
    ],
  });
  const tracer = provider.getTracer('opencashier');
  /** The current span, unless it has ended: a timer that was set in a span may run long after it. */
  const openSpan = (): OtelSpan | undefined => {
    const span = currentSpan.getStore() as OtelSpan | undefined;
    return span?.isRecording() === true ? span : undefined;
  };

  const run = async <Result>(span: OtelSpan, work: (span: Span) => Promise<Result>): Promise<Result> => {
    const open: Span = { note: (facts) => void span.setAttributes(attributesOf(facts)) };
    try {
      return await currentSpan.run(span, () => work(open));
    } catch (error) {
      // Only the kind of the error: its message may quote a person's input.
      span.setAttributes(attributesOf({ outcome: wordOf(error) }));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };

  return {
    begin(name, facts, { kind, payment, traceparent }, work) {
      const outer = openSpan();
      const links: Link[] = outer === undefined ? [] : [{ context: outer.spanContext() }];
      const parent = readTraceparent(traceparent);
      wantedTraceId = parent === undefined ? traceIdOf(payment) : undefined;
      const span = tracer.startSpan(
        name,
        {
          kind: kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL,
          attributes: attributesOf(payment === undefined ? facts : { ...facts, payment }),
          links,
        },
        parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
      );
      wantedTraceId = undefined;
      return run(span, work);
    },
    step(name, facts, work) {
      const outer = openSpan();
      if (outer === undefined) return work({ note: () => undefined });
      return run(tracer.startSpan(name, { attributes: attributesOf(facts) }, within(outer)), work);
    },
    flush: () => provider.forceFlush(),
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, flushWithinMs);
      });
      await Promise.race([provider.shutdown(), enough]);
      clearTimeout(timer);
    },
  };
}

function within(span: OtelSpan): Context {
  return trace.setSpan(ROOT_CONTEXT, span);
}

function attributesOf(facts: SpanFacts): Attributes {
  const attributes: Attributes = {};
  for (const [fact, value] of Object.entries(facts)) {
    const name = attributeOf[fact as keyof SpanFacts];
    if (name !== undefined && (typeof value === 'number' || plainWord.test(value))) attributes[name] = value;
  }
  return attributes;
}

function wordOf(error: unknown): string {
  if (!(error instanceof Error)) return 'thrown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

/** A payment's id is as long and as random as a trace id, so it serves as one. Nothing has to store the trace id. */
function traceIdOf(payment: string | undefined): string | undefined {
  const hex = payment?.replaceAll('-', '').toLowerCase();
  return hex !== undefined && /^[0-9a-f]{32}$/.test(hex) && /[1-9a-f]/.test(hex) ? hex : undefined;
}

/** W3C Trace Context, version 00. */
function readTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (traceId === INVALID_SPAN_CONTEXT.traceId || spanId === INVALID_SPAN_CONTEXT.spanId) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) !== 0;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true, traceState: createTraceState() };
}

/** The samplers that the OpenTelemetry specification names. @throws RangeError for any other */
function samplerOf({ sampler, samplerArgument }: TracingSettings): Sampler {
  const base = sampler.replace(/^parentbased_/, '');
  const root = rootSampler(base, samplerArgument);
  return base === sampler ? root : new ParentBasedSampler({ root });
}

function rootSampler(name: string, argument: string | undefined): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio': {
      const ratio = Number(argument ?? '1');
      if (ratio >= 0 && ratio <= 1) return new TraceIdRatioBasedSampler(ratio);
    }
  }
  throw new RangeError('The OpenTelemetry specification has no such sampler');
}

/** Logs an unreachable collector once, and again only after it was reachable. */
function quiet(exporter: SpanExporter, logger: Pick<Logger, 'warn'>): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== 0;
        if (hasFailed && !isFailing) {
          logger.warn(
            { reason: result.error?.name ?? 'Error' },
            'traces cannot be sent; logged only once until they can be sent again',
          );
        }
        isFailing = hasFailed;
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
