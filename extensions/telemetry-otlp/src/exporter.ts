import type { Log } from "@incipit/kernel";
import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import type { OtlpEndpoint } from "./otlp-endpoint.ts";

export interface ExporterOptions<Items> {
  readonly what: string;
  readonly endpoint: OtlpEndpoint;
  readonly serialize: (items: Items) => Uint8Array | undefined;
  readonly log: Log;
}

/** Data that cannot be sent is dropped; the log notes when that begins and ends. */
export class Exporter<Items> {
  readonly #options: ExporterOptions<Items>;
  #sent: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(options: ExporterOptions<Items>) {
    this.#options = options;
  }

  export(items: Items, callback: (result: ExportResult) => void): void {
    this.#sent = this.#sendAndTell(items, callback);
  }

  async #sendAndTell(items: Items, callback: (result: ExportResult) => void): Promise<void> {
    const before = this.#sent;
    callback(await this.#send(items));
    await before;
  }

  forceFlush(): Promise<void> {
    return this.#sent;
  }

  shutdown(): Promise<void> {
    return this.forceFlush();
  }

  async #send(items: Items): Promise<ExportResult> {
    const { what, endpoint, serialize, log } = this.#options;
    try {
      const body = serialize(items);
      if (body !== undefined) await endpoint.send(body);
      if (this.#isFailing) log.info(`The ${what} are accepted again`);
      this.#isFailing = false;
      return { code: ExportResultCode.SUCCESS };
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      if (!this.#isFailing)
        log.warn(`The ${what} cannot be sent, and are dropped: see telemetry.otlp_url`, { error: error.message });
      this.#isFailing = true;
      return { code: ExportResultCode.FAILED, error };
    }
  }
}
