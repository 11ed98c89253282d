import { searchToolName, type Requester, type ToolDefinition } from "@incipit/schema";
import type { Tool } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { ownTools, searchAnswer, similarNames } from "../lookup/search-answer.ts";
import { ToolIndex, type DeferredTool } from "../lookup/tool-index.ts";
import type { DeferredRange } from "../store/tool-list.ts";
import { liveToolList, type AskOptions } from "./live-tool-list.ts";
import { mayUse, type ToolRules } from "./tool-rules.ts";

export const lookupOwner: Requester = { kind: "host", extension: "session-orchestrator" };

type LookupContext = Pick<OrchestratorContext, "deferredLists" | "tools" | "toolSources" | "clock" | "settings">;

export class ToolSearch {
  readonly #context: LookupContext;
  readonly #range: DeferredRange;
  readonly #options: AskOptions;
  #live: Promise<ToolIndex> | undefined;

  /** @param options For listing live tools when the epoch's stored list cannot be read. */
  constructor(context: LookupContext, range: DeferredRange, options: AskOptions) {
    this.#context = context;
    this.#range = range;
    this.#options = options;
  }

  async find(name: string): Promise<ToolDefinition | undefined> {
    const tool = (await this.#index()).find(name);
    return tool !== undefined && this.#isUsable(tool) ? tool.definition : undefined;
  }

  async similar(name: string): Promise<readonly string[]> {
    return similarNames(await this.#index(), name, (tool) => this.#isUsable(tool));
  }

  get searchTool(): Tool {
    const [, definition] = ownTools(this.#range.servers);
    return {
      ...definition,
      isReadOnly: true,
      execute: async (input) => {
        const answer = searchAnswer(await this.#index(), input, (tool) => this.#isUsable(tool));
        if (answer.kind === "wrong") throw new Error(`Cannot run ${searchToolName}: ${answer.reason}`);
        return answer.text;
      },
    };
  }

  /** Falls back to live tools: an imported conversation has no list, and a list may be damaged or evicted. */
  async #index(): Promise<ToolIndex> {
    const kept = await this.#context.deferredLists.read(this.#range.sha256).catch(() => undefined);
    if (kept !== undefined) return kept;
    return (this.#live ??= liveToolList(this.#context, this.#options).then(({ deferred }) =>
      ToolIndex.of(deferred),
    ));
  }

  /** Returns whether a tool may be used: the rules may have become stricter since the epoch began. */
  #isUsable({ definition: { name }, server }: DeferredTool): boolean {
    return mayUse(this.#options.rules, name) && mayUseServer(this.#options.rules, { name, server });
  }
}

function mayUseServer(
  { given: { mcpServers } }: ToolRules,
  { name, server }: { readonly name: string; readonly server: string },
): boolean {
  return mcpServers === undefined || !name.startsWith(`${server}__`) || mcpServers.includes(server);
}
