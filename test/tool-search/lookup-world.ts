import type { ConversationId, TurnEvent } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { createAgentsWorld, type AgentsWorld } from "../agents/agents-world.ts";
import { prefixOf } from "../support/request-body.ts";
import { manyTools, manyToolsServer, type ListedTool } from "./many-tools-server.ts";

const reload = { name: "reload", description: "Reads the list again", inputSchema: { type: "object" } };
const resultSchema = z.object({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });

export interface ModelCall {
  readonly name: string;
  readonly input: unknown;
  readonly answer?: "allow" | "allow-always" | "deny";
  readonly allow?: readonly string[];
  readonly model?: string;
}

type EventOf<Type extends TurnEvent["type"]> = Extract<TurnEvent, { type: Type }>;

export interface CalledTool {
  readonly toolCallId: string;
  readonly events: readonly TurnEvent[];
  readonly asked: readonly EventOf<"approval-request">[];
  readonly end: EventOf<"tool-call-end"> | undefined;
  /** The request after the call. */
  readonly body: string;
}

export class LookupWorld implements AsyncDisposable {
  readonly world: AgentsWorld;
  readonly #file: string;
  readonly #config: string;
  readonly #server: string;
  #calls = 0;

  private constructor(
    world: AgentsWorld,
    { config, server }: { readonly config: string; readonly server: string },
  ) {
    this.world = world;
    this.#file = join(world.home, "tools.json");
    this.#config = config;
    this.#server = server;
  }

  static async start({
    tools = manyTools(2_999),
    server = "",
    config = () => "",
    env = {},
    isOpenai = false,
  }: {
    readonly tools?: readonly ListedTool[];
    readonly server?: string;
    readonly config?: (world: AgentsWorld) => string;
    readonly env?: Readonly<Record<string, string>>;
    readonly isOpenai?: boolean;
  } = {}): Promise<LookupWorld> {
    const world = await createAgentsWorld({ env, isOpenai });
    const lookup = new LookupWorld(world, { config: config(world), server });
    await Bun.write(join(world.home, "many.mjs"), manyToolsServer);
    await Bun.write(`${lookup.#file}.calls`, "");
    await lookup.list(tools);
    await lookup.restart();
    return lookup;
  }

  async list(tools: readonly ListedTool[]): Promise<void> {
    await Bun.write(this.#file, JSON.stringify([...tools, reload]));
  }

  restart(config = this.#config): Promise<void> {
    const args = JSON.stringify([join(this.world.home, "many.mjs"), this.#file]);
    const command = `command = ${JSON.stringify(process.execPath)}\nargs = ${args}`;
    return this.world.restart(`${config}\n[mcp.servers.crm]\n${command}\n${this.#server}\n`);
  }

  /** Returns the calls that the server received. */
  async calls(): Promise<readonly unknown[]> {
    const lines = (await Bun.file(`${this.#file}.calls`).text()).split("\n");
    return lines.filter((line) => line !== "").map((line): unknown => JSON.parse(line));
  }

  /** A turn in which the model calls a tool. */
  async call(
    id: ConversationId,
    { name, input, answer: decision = "allow", allow = [], model }: ModelCall,
  ): Promise<CalledTool> {
    const { client, model: server } = this.world;
    const text = typeof input === "string" ? input : JSON.stringify(input);
    const toolCallId = `call-${(this.#calls += 1)}`;
    server.enqueue({ kind: "tool-calls", calls: [{ id: toolCallId, name, arguments: text }] });
    const events: TurnEvent[] = [];
    const turn = { input: "Hello", allow: [...allow], ...(model === undefined ? {} : { model }) };
    for await (const event of client.sendTurn(id, turn)) {
      events.push(event);
      if (event.type !== "approval-request") continue;
      const params = { id, approvalId: event.approvalId };
      await client.call(routes.answerApproval, { params, body: { decision } });
    }
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    return {
      toolCallId,
      events,
      asked: events.filter((event) => event.type === "approval-request"),
      end: events.find((event) => event.type === "tool-call-end"),
      body: server.requests.at(-1)?.body ?? "",
    };
  }

  /** The result that the model received. */
  async result(id: ConversationId, call: ModelCall): Promise<string> {
    const { body } = await this.call(id, call);
    return toolResult(body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

export function toolResult(body: string): string {
  const { messages } = resultSchema.parse(JSON.parse(body));
  return String(messages.findLast(({ role }) => role === "tool")?.content);
}

/** Anthropic's marks move and are not part of the cached content. */
export function expectPrefixes(all: readonly string[]): void {
  const bodies = all.map((body) => body.replaceAll(/,"cache_control":\{[^}]*\}/g, ""));
  for (const [index, body] of bodies.slice(1).entries())
    expect(body, `request ${index + 2}`).toStartWith(prefixOf(bodies[index] ?? ""));
}
