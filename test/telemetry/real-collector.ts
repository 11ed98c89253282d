import { createTempFolder } from "@incipit/testkit";
import { join } from "node:path";
import { rotel } from "../other-programs/other-programs.ts";
import { ownPort } from "../support/own-port.ts";

const startTimeoutMs = 30_000;

/** Values include their type, such as `Str(chat)`. */
type Attributes = Readonly<Record<string, string>>;

interface DecodedSpan {
  readonly fields: Readonly<Record<string, string>>;
  readonly attributes: Attributes;
}

interface DecodedMetric {
  readonly descriptor: Attributes;
  readonly points: readonly DecodedSpan[];
}

export interface Decoded {
  readonly resources: readonly Attributes[];
  readonly spans: readonly DecodedSpan[];
  readonly metrics: readonly DecodedMetric[];
}

/** Rotel is a third-party collector. It prints decoded data like the OpenTelemetry Collector. */
export class RealCollector implements AsyncDisposable {
  readonly url: string;
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  readonly #folder: AsyncDisposable;

  private constructor(url: string, child: Bun.Subprocess<"ignore", "pipe", "pipe">, folder: AsyncDisposable) {
    this.url = url;
    this.#child = child;
    this.#folder = folder;
  }

  static async start(): Promise<RealCollector> {
    const address = `127.0.0.1:${await ownPort()}`;
    const folder = await createTempFolder();
    const flags = ["--exporter", "blackhole", "--log-format", "json", "--debug-log-verbosity", "detailed"];
    const kinds = ["--debug-log", "traces", "--debug-log", "metrics"];
    const listening = ["--otlp-http-endpoint", address, "--otlp-grpc-endpoint", "127.0.0.1:0"];
    const child = Bun.spawn(
      [rotel(), "start", ...listening, ...flags, ...kinds, "--pid-file", join(folder.path, "pid")],
      { cwd: folder.path, env: {}, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    );
    const collector = new RealCollector(`http://${address}`, child, folder);
    await collector.#untilItAnswers();
    return collector;
  }

  /** The collector first decodes everything received. */
  async end(): Promise<Decoded> {
    this.#child.kill("SIGTERM");
    const [printed, errors, exitCode] = await Promise.all([
      new Response(this.#child.stdout).text(),
      new Response(this.#child.stderr).text(),
      this.#child.exited,
    ]);
    if (exitCode !== 0) throw new Error(`Rotel ended with ${exitCode}:\n${printed}${errors}`);
    return decoded(printed);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
    await this.#folder[Symbol.asyncDispose]();
  }

  /** The collector prints when it starts, not when it listens. */
  async #untilItAnswers(): Promise<void> {
    const deadline = Date.now() + startTimeoutMs;
    while (this.#child.exitCode === null && Date.now() < deadline)
      if (await fetch(this.url).then(Boolean, () => false)) return;
    await this[Symbol.asyncDispose]();
    throw new Error(`Rotel did not listen at ${this.url} within ${startTimeoutMs} ms`);
  }
}

function decoded(printed: string): Decoded {
  const requests = sections(printed, /^Resource(?:Spans|Metrics) #\d+$/m);
  return {
    resources: requests.map((request) => attributesOf(request.split(/^Scope/m)[0] ?? "")),
    spans: requests.flatMap((request) => sections(request, /^Span #\d+$/m)).map(spanOf),
    metrics: requests
      .flatMap((request) => sections(request, /^Metric #\d+$/m))
      .map((metric) => {
        const points = sections(metric, /^HistogramDataPoints #\d+$/m);
        return { descriptor: attributesOf(metric.split(/^Histogram/m)[0] ?? ""), points: points.map(spanOf) };
      }),
  };
}

function sections(text: string, title: RegExp): readonly string[] {
  return text.split(title).slice(1);
}

function spanOf(section: string): DecodedSpan {
  const fields = section.matchAll(/^ *(?<name>[A-Z][\w# ]*?) *: (?<value>.*)$/gm);
  return { fields: recordOf(fields), attributes: attributesOf(section) };
}

function attributesOf(section: string): Attributes {
  return recordOf(section.matchAll(/^ +-> (?<name>[\w. ]+): (?<value>.*)$/gm));
}

function recordOf(found: Iterable<RegExpExecArray>): Readonly<Record<string, string>> {
  return Object.fromEntries([...found].map(({ groups }) => [groups?.["name"] ?? "", groups?.["value"] ?? ""]));
}
