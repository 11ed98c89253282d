import { exportLineSchema, type AuditedStep, type AuditSummary, type ConversationId } from "@incipit/schema";
import type { ModelReply } from "@incipit/testkit";
import { routes, type Client } from "@incipit/transport-contract";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { HostWorld, prefixOf } from "./host-world.ts";

const usedExtensions = ["session-orchestrator", "provider-openai", "system-prompt", "storage-sqlite"] as const;

export type AuditAction =
  | "turn"
  | "tool-turn"
  | "retried-turn"
  | "failed-turn"
  | "unsent-turn"
  | "turn-with-file"
  | "turn-of-another-model"
  | "turn-with-system-text"
  | "turn-with-appended-text"
  | "edit-file"
  | "set-template"
  | "rebuild"
  | "compact"
  | "failed-compaction"
  | "fork"
  | "move"
  | "move-edited"
  | "restart"
  | "other-address"
  | "unload-builder"
  | "load-builder"
  | "swap";

export const happenings: readonly AuditAction[] = [
  "turn",
  "tool-turn",
  "retried-turn",
  "failed-turn",
  "unsent-turn",
  "turn-with-file",
  "turn-of-another-model",
  "turn-with-system-text",
  "turn-with-appended-text",
  "edit-file",
  "set-template",
  "rebuild",
  "compact",
  "failed-compaction",
  "fork",
  "move",
  "move-edited",
  "restart",
  "other-address",
  "unload-builder",
  "load-builder",
  "swap",
];

export interface AuditWorldOptions {
  readonly refresh: "compaction" | "turn";
  readonly hasRestarts: boolean;
  readonly template?: string;
}

export class AuditWorld implements AsyncDisposable {
  readonly #options: AuditWorldOptions;
  readonly #scope = new AsyncDisposableStack();
  #world: HostWorld | undefined;
  #id: ConversationId | undefined;
  #reply: ModelReply | undefined;
  #count = 0;
  #isElsewhere = false;
  /** A start of the host would load it again. */
  #isBuilderUnloaded = false;

  private constructor(options: AuditWorldOptions) {
    this.#options = options;
  }

  static async begin(options: AuditWorldOptions): Promise<AuditWorld> {
    const audited = new AuditWorld(options);
    const world = audited.#scope.use(await HostWorld.start({ config: (url) => audited.#config(url) }));
    audited.#world = world;
    world.model.answer = () => {
      const reply = audited.#reply;
      audited.#reply = undefined;
      return reply;
    };
    await audited.#edit();
    audited.#id = await world.createConversation();
    return audited;
  }

  get client(): Client {
    return this.#started.client;
  }

  get id(): ConversationId {
    if (this.#id === undefined) throw new Error("There is no conversation");
    return this.#id;
  }

  get #started(): HostWorld {
    if (this.#world === undefined) throw new Error("There is no host");
    return this.#world;
  }

  readonly expected: { readonly id: string; readonly happening: AuditAction; readonly reason: string | null }[] =
    [];
  #sent: Sent | undefined;
  #isEdited = false;

  async #note(happening: AuditAction): Promise<void> {
    if (happening === "fork" && this.#sent?.isCompaction === true) this.#sent = undefined;
    const { extensions } = await this.client.call(routes.listExtensions);
    const builder = extensions.find(({ id }) => id === "system-prompt");
    const known = new Set(this.expected.map(({ id }) => id));
    for (const step of await this.audit()) {
      if (known.has(step.id) || step.verdict === "unsent") continue;
      const params = { id: this.id, stepId: step.id };
      const { url, body } = await this.client.call(routes.getStepRequest, { params });
      const isTier = happening === "turn-with-system-text" || happening === "turn-with-appended-text";
      const sent: Sent = {
        url,
        body,
        model: step.model,
        isCompaction: step.purpose === "compaction",
        tier: isTier ? `${happening} ${happening === "turn-with-system-text" ? this.#count : ""}` : "",
        isBuilderAbsent: builder?.phase !== "active",
      };
      this.expected.push({ id: step.id, happening, reason: reasonOf(this.#sent, sent, this.#isEdited) });
      this.#sent = sent;
      this.#isEdited = false;
    }
  }

  async audit(): Promise<readonly AuditedStep[]> {
    const query = { limit: 1_000 };
    return (await this.client.call(routes.auditConversation, { params: { id: this.id }, query })).steps;
  }

  async summary(): Promise<AuditSummary> {
    return (await this.client.call(routes.auditConversation, { params: { id: this.id } })).summary;
  }

  async write(name: string, text: string | undefined): Promise<void> {
    const path = join(this.#started.home, name);
    if (text === undefined) await rm(path, { force: true });
    else await Bun.write(path, text);
  }

  async let(happening: AuditAction): Promise<void> {
    this.#reply = undefined;
    await this.#let(happening);
    await this.#note(happening);
    if (this.#options.hasRestarts) await this.#restart();
  }

  async #let(happening: AuditAction): Promise<void> {
    const { client, id } = this;
    this.#count += 1;
    switch (happening) {
      case "turn":
        return this.#turn({});
      case "tool-turn":
        this.#answerOnce({
          kind: "tool-calls",
          calls: [{ id: `call_${this.#count}`, name: "read_file", arguments: '{"path":"AGENTS.md"}' }],
        });
        return this.#turn({});
      case "retried-turn":
        this.#answerOnce({ kind: "error", status: 503, body: "{}", headers: { "retry-after": "0" } });
        return this.#turn({});
      case "failed-turn":
        this.#answerOnce({ kind: "error", status: 400, body: '{"error":{"message":"no"}}' });
        return this.#turn({});
      case "unsent-turn":
        return this.#turn({ model: "keyless/test" });
      case "turn-with-file": {
        const file = {
          type: "file",
          mediaType: "image/png",
          data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
          filename: "a.png",
        } as const;
        return this.#turn({ input: [{ type: "text", text: "look" }, file] });
      }
      case "turn-of-another-model":
        return this.#turn({ model: "local/other" });
      case "turn-with-system-text":
        return this.#turn({ system: `Only now ${this.#count}` });
      case "turn-with-appended-text":
        return this.#turn({ system: ["One", "Two"], systemMode: "append" });
      case "edit-file":
        return this.#edit();
      case "set-template": {
        const template = `[system:os] template ${this.#count} [file:AGENTS.md]`;
        await client.call(routes.setSystemPrompt, { body: { template } }).catch(unlessAbsent);
        return;
      }
      case "rebuild":
        // Fails harmlessly without a builder or before the first prompt.
        await client.call(routes.rebuildPrompt, { params: { id }, body: {} }).catch(() => undefined);
        return;
      case "compact":
        this.#answerOnce({ kind: "text", chunks: ["Summary"] });
        await this.#compact();
        return;
      case "failed-compaction":
        this.#answerOnce({ kind: "error", status: 400, body: '{"error":{"message":"no"}}' });
        await this.#compact();
        return;
      case "fork": {
        const { conversation } = await client.call(routes.forkConversation, { params: { id }, body: {} });
        this.#id = conversation.id;
        return;
      }
      case "move":
        return this.#move((text) => text);
      case "move-edited":
        return this.#move(edited);
      case "restart":
        return this.#restart();
      case "other-address":
        this.#isElsewhere = !this.#isElsewhere;
        return this.#restart();
      case "unload-builder":
        this.#isBuilderUnloaded = true;
        return this.#unloadBuilder();
      case "load-builder":
        this.#isBuilderUnloaded = false;
        await client.call(routes.loadExtension, { params: { id: "system-prompt" } });
        return;
      case "swap": {
        const extension = usedExtensions[this.#count % usedExtensions.length] ?? "provider-openai";
        if (extension === "system-prompt" && this.#isBuilderUnloaded) return; // Loading the extension would start the builder.
        await client.call(routes.swapExtension, { params: { id: extension }, body: {} }).catch(unlessAbsent);
        return;
      }
    }
  }

  #answerOnce(reply: ModelReply): void {
    this.#reply = reply;
  }

  async #turn(request: Record<string, unknown>): Promise<void> {
    const body = createTurnBody.parse({ input: `Message ${this.#count}`, ...request });
    const { client, id } = this;
    for await (const event of client.sendTurn(id, body)) {
      if (event.type === "turn-end") return;
      // After a move, the first tool needs approval for the folder.
      if (event.type !== "approval-request") continue;
      const params = { id, approvalId: event.approvalId };
      await client.call(routes.answerApproval, { params, body: { decision: "allow" } });
    }
  }

  async #compact(): Promise<void> {
    await this.client.call(routes.compactConversation, { params: { id: this.id } }).catch(() => undefined);
  }

  async #move(change: (text: string) => string): Promise<void> {
    const { client, id } = this;
    const { extensions } = await client.call(routes.listExtensions);
    if (extensions.some((extension) => extension.id === "system-prompt" && extension.phase !== "active")) return;
    const text = await new Response(await client.exportConversation(id)).text();
    await client.call(routes.deleteConversation, { params: { id } });
    const changed = change(text);
    this.#isEdited ||= changed !== text;
    await client.importConversation(new Blob([changed]));
  }

  async #edit(): Promise<void> {
    await Bun.write(join(this.#started.home, "AGENTS.md"), `Rules, version ${this.#count}.`);
  }

  async #restart(): Promise<void> {
    await this.#started.restart();
    if (this.#isBuilderUnloaded) await this.#unloadBuilder();
  }

  async #unloadBuilder(): Promise<void> {
    await this.client.call(routes.unloadExtension, { params: { id: "system-prompt" } });
  }

  #config(modelUrl: string): string {
    const url = this.#isElsewhere ? modelUrl.replace("127.0.0.1", "localhost") : modelUrl;
    return `model = "local/test"
system_prompt = ${JSON.stringify(this.#options.template ?? "You help. [file:AGENTS.md]")}
prompt_refresh = "${this.#options.refresh}"
tools.workspace = true
listen.port = 0
[providers.local]
kind = "openai-compatible"
base_url = "${url}"
[providers.keyless]
kind = "openai"
api_key_env = "NO_SUCH_KEY"
`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#scope.disposeAsync();
  }
}

interface Sent {
  readonly url: string;
  readonly body: string;
  readonly model: string;
  readonly isCompaction: boolean;
  readonly tier: string;
  readonly isBuilderAbsent: boolean;
}

const chatBody = z.object({ messages: z.array(z.object({ role: z.string(), content: z.unknown() })) });

function systemOf(body: string): string {
  return JSON.stringify(chatBody.parse(JSON.parse(body)).messages.filter(({ role }) => role === "system"));
}

function reasonOf(before: Sent | undefined, sent: Sent, isEdited: boolean): string | null {
  if (before === undefined) return "first-step";
  const isHeld = before.url === sent.url && sent.body.startsWith(prefixOf(before.body));
  if (isHeld && before.model === sent.model) return null;
  if (before.isCompaction || sent.isCompaction) return "compaction";
  if (before.model !== sent.model) return "model-changed";
  if (before.url !== sent.url) return "provider-changed";
  if (systemOf(before.body) !== systemOf(sent.body)) {
    if (before.tier !== sent.tier) return "request-tier";
    return before.isBuilderAbsent === sent.isBuilderAbsent ? "prompt-rebuilt" : "prompt-builder-absent";
  }
  return isEdited ? "history-edited" : "nobody knows";
}

function unlessAbsent(error: unknown): void {
  if (
    !(error instanceof Error) ||
    !/prompt builder|not loaded|not active|no .* at this moment/i.test(error.message)
  )
    throw error;
}

const createTurnBody = z.looseObject({ input: z.any() });

function edited(text: string): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => exportLineSchema.parse(JSON.parse(line)));
  const messages = lines.flatMap((line) => (line.type === "record" && line.kind === "message" ? [line] : []));
  const values = messages.map((line) => ({ line, message: messageValue.parse(line.value) }));
  const epoch = Math.max(...values.map(({ message }) => message.epoch));
  const first = values.find(({ message }) => message.epoch === epoch);
  if (first === undefined) return text;
  const parts = [{ type: "text", text: `Edited ${text.length}` }];
  const changed = { ...first.line, value: { ...first.message, parts } };
  return lines.map((line) => `${JSON.stringify(line === first.line ? changed : line)}\n`).join("");
}

const messageValue = z.looseObject({ epoch: z.int() });
