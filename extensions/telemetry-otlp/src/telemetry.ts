import type { Host } from "@incipit/kernel";
import type { Work } from "@incipit/service-contract";
import { JsonMetricsSerializer, JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader, type ResourceMetrics } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace";
import { Exporter } from "./exporter.ts";
import { Metrics } from "./metrics.ts";
import { OtlpEndpoint } from "./otlp-endpoint.ts";
import { SpanIds, Spans } from "./spans.ts";

const scopeName = "incipit";
const closeTimeoutMs = 1_000;

export interface TelemetryOptions {
  readonly url: string;
  readonly headersEnv: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  readonly traceIntervalMs: number;
  readonly metricIntervalMs: number;
  readonly timeoutMs: number;
}

export class Telemetry {
  readonly #tracers: TracerProvider;
  readonly #meters: MeterProvider;
  readonly #spans: Spans;
  readonly #metrics: Metrics;
  readonly #endpoints: readonly OtlpEndpoint[];

  constructor(host: Host, options: TelemetryOptions) {
    const { url, traceIntervalMs, metricIntervalMs, timeoutMs, serviceName, version } = options;
    const headers = (): Record<string, string> =>
      Object.fromEntries(
        Object.entries(options.headersEnv).flatMap(([name, variable]) => {
          const value = host.env.get(variable);
          return value === undefined ? [] : [[name, value] as const];
        }),
      );
    const endpoint = (signal: string): OtlpEndpoint =>
      new OtlpEndpoint({
        url: `${url.replace(/\/+$/, "")}/v1/${signal}`,
        headers,
        net: host.net,
        clock: host.clock,
        timeoutMs,
      });
    const traces = endpoint("traces");
    const metrics = endpoint("metrics");
    this.#endpoints = [traces, metrics];
    const resource = resourceFromAttributes({ "service.name": serviceName, "service.version": version });
    const ids = new SpanIds();
    const spanExporter = new Exporter<ReadableSpan[]>({
      what: "traces",
      endpoint: traces,
      serialize: (spans) => JsonTraceSerializer.serializeRequest(spans),
      log: host.log,
    });
    const metricExporter = new Exporter<ResourceMetrics>({
      what: "metrics",
      endpoint: metrics,
      serialize: (items) => JsonMetricsSerializer.serializeRequest(items),
      log: host.log,
    });
    this.#tracers = new TracerProvider({
      resource,
      idGenerator: ids,
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: spanExporter,
          scheduledDelayMillis: traceIntervalMs,
          exportTimeoutMillis: timeoutMs,
        }),
      ],
    });
    this.#meters = new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: metricExporter,
          exportIntervalMillis: metricIntervalMs,
          exportTimeoutMillis: Math.min(timeoutMs, metricIntervalMs),
        }),
      ],
    });
    this.#spans = new Spans(this.#tracers.getTracer(scopeName, version), ids);
    this.#metrics = new Metrics(this.#meters.getMeter(scopeName, version));
  }

  observe(work: Work): void {
    this.#spans.add(work);
    this.#metrics.add(work);
  }

  /** Sends the rest within a second. Never rejects: failures are logged. */
  async close(): Promise<void> {
    for (const endpoint of this.#endpoints) endpoint.endWithin(closeTimeoutMs);
    // Both: the clock ends with the extension, and a request without its deadline would keep the process alive.
    await Promise.allSettled([this.#tracers.shutdown(), this.#meters.shutdown()]);
  }
}
