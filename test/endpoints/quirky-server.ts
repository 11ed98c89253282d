import {
  brokenRules,
  quirksOf,
  startRecordingModelServer,
  type ModelReply,
  type Quirk,
  type RecordingModelServer,
} from "@incipit/testkit";
import type { Endpoint } from "./endpoints.ts";

export interface Treatment {
  readonly isBad: boolean;
  readonly random: () => number;
  note(endpoint: string, body: string): void;
  noteStuck(): void;
}

const asksToWait = /\b(?:retry|try again|wait)\b.{0,20}\d/i;
const replyText = "An answer of the model's, of a few words.";

/** Misbehaves according to the treatment of the conversation. */
export class QuirkyServer implements AsyncDisposable {
  readonly endpoint: Endpoint;
  readonly problems: string[] = [];
  requests = 0;
  overflows = 0;
  readonly #server: RecordingModelServer;
  readonly #quirks: readonly Quirk[];
  readonly #overflow: readonly Quirk[];

  private constructor(endpoint: Endpoint, server: RecordingModelServer) {
    this.endpoint = endpoint;
    this.#server = server;
    // Skips answers that ask for a delay, to keep tests fast.
    this.#quirks = quirksOf(endpoint.wire).filter(
      ({ answer: { headers, body } }) =>
        headers?.["retry-after"] === undefined && !(typeof body === "string" && asksToWait.test(body)),
    );
    this.#overflow = this.#quirks.filter(({ sees }) => sees.failure?.codes.includes("CONTEXT_TOO_LONG"));
  }

  static async start(endpoint: Endpoint, treatmentOf: (body: string) => Treatment): Promise<QuirkyServer> {
    const server = await startRecordingModelServer({ wire: endpoint.wire });
    const quirky = new QuirkyServer(endpoint, server);
    server.answer = (body) => {
      for (const problem of server.problems) quirky.problems.push(`${problem}: ${body}`);
      server.forget();
      return quirky.#answer(body, treatmentOf(body));
    };
    return quirky;
  }

  get url(): string {
    return this.#server.urlOf(this.endpoint.wire);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  #answer(body: string, treatment: Treatment): ModelReply {
    const { isBad, random } = treatment;
    this.requests += 1;
    treatment.note(this.endpoint.name, body);
    const broken = brokenRules(this.endpoint.family, body);
    for (const rule of broken) this.problems.push(`${this.endpoint.name}: ${rule}: ${body}`);
    if (broken.length > 0) return refusal(broken.join("; "));
    if (body.length > this.endpoint.windowBytes) {
      this.overflows += 1;
      return this.#refusedBy(pick(this.#overflow, random));
    }
    if (!isBad) return { kind: "text", chunks: [replyText] };
    const reply = this.#misbehave(random);
    if (reply.kind === "never") treatment.noteStuck();
    return reply;
  }

  #misbehave(random: () => number): ModelReply {
    const dice = random();
    const id = `call_${Math.floor(random() * 1e9)}`;
    const calls = [
      { id, name: "read_file", arguments: '{"path":"long.txt"}' },
      { id: `${id}b`, name: "list_folder", arguments: "{}" },
    ];
    if (dice < 0.3) return { kind: "tool-calls", calls: calls.slice(0, 1 + Math.floor(random() * 2)) };
    if (dice < 0.34) return { kind: "tool-calls", calls: [{ id: "same", name: "list_folder", arguments: "{}" }] };
    if (dice < 0.38) return { kind: "tool-calls", calls: [{ id, name: "read_file", arguments: '{"path":' }] };
    if (dice < 0.42) return { kind: "tool-calls", calls, text: "Let me look.", isCut: true };
    if (dice < 0.46) return { kind: "text", chunks: ["Half of a sente"], end: "length" };
    if (dice < 0.48) return { kind: "text", chunks: ["A sentence"], end: "content-filter" };
    if (dice < 0.5) return { kind: "text", chunks: [] };
    if (dice < 0.52) return { kind: "cut", chunks: ["Half of"] };
    if (dice < 0.54) return { kind: "broken-json" };
    if (dice < 0.56)
      return { kind: "error-event", chunks: ["Half"], error: { message: "overloaded", code: "overloaded_error" } };
    if (dice < 0.58) return { kind: "never" };
    if (dice < 0.6) return { kind: "text", chunks: ["Thought over."], reasoning: "I think of it." };
    if (dice < 0.75) return { kind: "text", chunks: [replyText.repeat(1 + Math.floor(random() * 200))] };
    return this.#refusedBy(pick(this.#quirks, random));
  }

  #refusedBy({ answer: { status = 200, headers = {}, body } }: Quirk): ModelReply {
    return { kind: "error", status, headers, body };
  }
}

function refusal(message: string): ModelReply {
  return { kind: "error", status: 400, body: JSON.stringify({ error: { message } }) };
}

export function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to pick from");
  return item;
}
