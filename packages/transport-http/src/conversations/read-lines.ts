import { jsonTextProblem, type Clock } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import type * as z from "zod";

/** In UTF-8: a message may contain files of 8 MiB in base64, and a request's record several messages. */
const maxLineBytes = 64 * 1_048_576;

const maxBytes = 1_024 * 1_048_576;

const idleTimeoutMs = 30_000;

/** Then other tasks get their turn, also if a client sends only line breaks. */
const linesInOneGo = 1_000;

export interface ReadLinesOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Skips blank lines.
 * @throws {ServiceError} `INVALID_REQUEST` that names the line, `BODY_TOO_LARGE`, `TIMEOUT`.
 */
export async function* readLines<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  options: ReadLinesOptions,
): AsyncGenerator<z.output<Schema>> {
  let count = 0;
  for await (const bytes of splitLines(request, options)) {
    count += 1;
    if (count % linesInOneGo === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    const text = decode(bytes, count);
    if (text.trim() === "") continue;
    const parsed = schema.safeParse(parse(text, count));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const place = issue?.path.map(String).join(".") || "the value";
      throw new ServiceError("INVALID_REQUEST", `Line ${count}: ${place}: ${issue?.message ?? "it does not fit"}`);
    }
    yield parsed.data;
  }
}

function decode(bytes: Uint8Array, line: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ServiceError("INVALID_REQUEST", `Line ${line} is not UTF-8`, { cause });
  }
}

function parse(text: string, line: number): unknown {
  const problem = jsonTextProblem(text);
  if (problem !== undefined) throw new ServiceError("INVALID_REQUEST", `Line ${line} is ${problem}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `Line ${line} is not valid JSON: ${reason}; send one JSON value in each line`;
    throw new ServiceError("INVALID_REQUEST", message, { cause });
  }
}

async function* splitLines(request: Request, options: ReadLinesOptions): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = [];
  let partBytes = 0;
  let bytes = 0;
  const take = (part: Uint8Array): void => {
    partBytes += part.byteLength;
    if (partBytes > maxLineBytes)
      throw new ServiceError("BODY_TOO_LARGE", `A line is larger than ${maxLineBytes} bytes`);
    parts.push(part);
  };
  for await (const chunk of chunksOf(request, options)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new ServiceError("BODY_TOO_LARGE", `The body is larger than ${maxBytes} bytes`);
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, end));
      yield Buffer.concat(parts);
      parts.length = 0;
      partBytes = 0;
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  yield Buffer.concat(parts);
}

const newline = 10;

async function* chunksOf(request: Request, { clock, signal }: ReadLinesOptions): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  try {
    for (;;) {
      let isLate = false;
      const cancelTimer = clock.setTimer(() => {
        isLate = true;
        cancel();
      }, idleTimeoutMs);
      const { done, value } = await reader.read().finally(cancelTimer);
      if (signal.aborted) throw new ServiceError("TIMEOUT", "The body did not end in time");
      if (isLate) throw new ServiceError("TIMEOUT", `Nothing more of the body came for ${idleTimeoutMs / 1_000} s`);
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (ServiceError.is(error)) throw error;
    throw new ServiceError("INVALID_REQUEST", "The body was cut off before its end", { cause: error });
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
