import { DataFolder } from "@incipit/host/data-folder";
import { routes, type Client } from "@incipit/transport-contract";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { clientOf } from "../host/client-of.ts";
import type { Candidate, ValueKind } from "./completed.ts";
import { shortId } from "../output/short-id.ts";
import { storedConversations, type KnownConversation } from "./stored-conversations.ts";

export type ValueSource = (kind: ValueKind) => Promise<readonly Candidate[]>;

export interface ValuePlaces {
  readonly dataFolder: string;
  readonly userFolder: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Uses the running host or, without one, the data folder and the agent folders. Never starts a host. */
export function valueSource(places: ValuePlaces): ValueSource {
  const { dataFolder } = places;
  const state = DataFolder.look(dataFolder);
  const client =
    state.kind === "held" && state.holder !== undefined ? clientOf(state.holder, dataFolder) : undefined;
  const reader = client === undefined ? storedValues(places) : hostValues(client, places);
  return async (kind) => {
    if (kind === "conversation") return reader.conversations();
    if (kind === "model") return reader.models();
    if (kind === "agent") return reader.agents();
    return kind === "extension" ? reader.extensions() : [];
  };
}

type Reader = Readonly<
  Record<"conversations" | "models" | "agents" | "extensions", () => Promise<readonly Candidate[]>>
>;

function hostValues(client: Client, { cwd, signal }: ValuePlaces): Reader {
  return {
    async conversations() {
      const query = { archived: "all", limit: 100 } as const;
      const { conversations } = await client.call(routes.listConversations, { query, signal });
      return conversations.map(candidateOf);
    },
    async models() {
      const { models } = await client.call(routes.listModels, { signal });
      return models.map(({ id }) => ({ value: id, words: "" }));
    },
    async agents() {
      const { profiles } = await client.call(routes.listProfiles, { query: { cwd }, signal });
      return profiles.map(({ name, description }) => ({ value: name, words: description ?? "" }));
    },
    async extensions() {
      const { extensions } = await client.call(routes.listExtensions, { signal });
      return extensions.map(({ id }) => ({ value: id, words: "" }));
    },
  };
}

function storedValues({ dataFolder, userFolder, cwd }: ValuePlaces): Reader {
  const known = (): readonly KnownConversation[] => storedConversations(dataFolder);
  return {
    conversations: async () => known().map(candidateOf),
    models: async () => [...new Set(known().map(({ model }) => model))].map((value) => ({ value, words: "" })),
    agents: async () => {
      const folders = [join(cwd, ".agents"), join(userFolder, "agents")];
      return folders.flatMap(agentsIn).map((value) => ({ value, words: "" }));
    },
    extensions: async () => [],
  };
}

function candidateOf({ id, title }: Pick<KnownConversation, "id" | "title">): Candidate {
  return { value: shortId(id), words: title ?? "" };
}

function agentsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => name.slice(0, -".md".length));
  } catch {
    return [];
  }
}
