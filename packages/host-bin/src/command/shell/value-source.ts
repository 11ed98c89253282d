import { DataFolder, directFetch, type Holder, tokenOf } from "@incipit/host/data-folder";
import { type Client, createClient, routes } from "@incipit/transport-contract";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Candidate, ValueKind } from "./completed.ts";
import { shortId } from "../output/short-id.ts";
import { constants, Database } from "bun:sqlite";
import { pathToFileURL } from "node:url";
import * as z from "zod";

export type ValueSource = (kind: ValueKind) => Promise<readonly Candidate[]>;

interface ValuePlaces {
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

const knownSchema = z.object({ id: z.string(), title: z.string().nullable(), model: z.string() });
type KnownConversation = z.infer<typeof knownSchema>;

const rowSchema = z.object({ value: z.string() });
const maxRead = 200;

/** Takes no lock, since a host may start at any time. Misses data that a crash has left in the write-ahead log. */
function storedConversations(dataFolder: string): readonly KnownConversation[] {
  const file = join(dataFolder, "incipit.db");
  if (!existsSync(file)) return [];
  const url = `${pathToFileURL(file).href}?immutable=1`;
  using database = new Database(url, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  const rows: readonly unknown[] = database
    .query(
      "SELECT value FROM entries WHERE namespace = ? AND key >= 'conversation:' AND key < 'conversation;' ORDER BY key DESC LIMIT ?",
    )
    .all(namespace, maxRead);
  return rows.flatMap((row) => {
    const { data } = rowSchema.safeParse(row);
    const known = data === undefined ? undefined : knownSchema.safeParse(JSON.parse(data.value)).data;
    return known === undefined ? [] : [known];
  });
}

const namespace = "session-orchestrator/conversations";

function clientOf(holder: Holder, dataFolder: string): Client | undefined {
  const { url } = holder;
  if (url === undefined) return undefined;
  return createClient({ url, token: tokenOf(dataFolder), fetch: fetchOf(holder, dataFolder) });
}

/** Another process, perhaps of another user, may have taken the host's port and must not receive the token. */
function fetchOf(holder: Holder, dataFolder: string): typeof directFetch {
  return async (url, init) => {
    if (DataFolder.isHeldBy(dataFolder, holder)) return directFetch(url, init);
    throw new Error("it has ended");
  };
}
