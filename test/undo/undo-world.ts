import type { ConversationId, FileChanges } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import type { HostProcess } from "../support/host-process.ts";
import { World } from "../support/world.ts";

type Call = readonly [
  name: "edit_file" | "write_file" | "shell" | "read_file" | "remove" | "twice" | "agent",
  input: object,
];

type Asking = Pick<HostProcess, "client">;

class UndoWorld extends World {
  static begin(more: string): Promise<UndoWorld> {
    const config = `tools.workspace = true
approvals.allow = ["edit_file", "write_file", "shell", "remove", "twice"]
${more}`;
    return UndoWorld.start({ config, model: { isStrict: true } });
  }

  /** A turn's replies: a tool call each, then a text. */
  calls(...calls: readonly Call[]): void {
    for (const [name, input] of calls) this.model.enqueueCall(name, input);
    this.model.enqueueText("Done.");
  }
}

interface Undo extends AsyncDisposable {
  readonly world: UndoWorld;
  readonly host: HostProcess;
  readonly id: ConversationId;
  readonly cwd: string;
}

/** Starts a host with a conversation in the world's folder. */
export async function startUndo(more = ""): Promise<Undo> {
  const world = await UndoWorld.begin(more);
  const host = await world.host();
  const { id } = await host.createConversation();
  return { world, host, id, cwd: world.work, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** Returns the id of the turn's message. */
export async function turn(host: HostProcess, id: ConversationId): Promise<string> {
  const events = await host.turn(id, { input: "Do it" });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  const query = { order: "newest" } as const;
  const { messages } = await host.client.call(routes.listMessages, { params: { id }, query });
  return messages.find(({ role }) => role === "user")?.id ?? "";
}

export function changesOf({ client }: Asking, id: ConversationId, from: string): Promise<FileChanges> {
  return client.call(routes.listFileChanges, { params: { id }, query: { from } });
}

export async function restore(
  { client }: Asking,
  id: ConversationId,
  body: { readonly from?: string; readonly restoration?: string; readonly paths: readonly string[] },
): Promise<{ readonly outcomes: Record<string, string>; readonly restoration: string }> {
  const answer = await client.call(routes.restoreFiles, {
    params: { id },
    body: { ...body, paths: [...body.paths] },
  });
  const outcomes = Object.fromEntries(answer.files.map(({ path, outcome }) => [path.split("/").at(-1), outcome]));
  return { outcomes, restoration: answer.restoration };
}

export function states({ files }: FileChanges): Record<string, string> {
  return Object.fromEntries(files.map(({ path, state }) => [path.split("/").at(-1), state]));
}

export const edit = (path: string, oldText: string, newText: string): Call => [
  "edit_file",
  { path, oldText, newText },
];
export const write = (path: string, content: string): Call => ["write_file", { path, content, overwrite: true }];
export const remove = (path: string): Call => ["remove", { path }];

const manifest = {
  id: "acme.remover",
  version: "1.0.0",
  api: "^1",
  capabilities: { fs: { read: ["$cwd"], write: ["$cwd"] } },
  contributes: ["tools@1"],
};
const remover = `import { defineExtension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
export default defineExtension(
  ${JSON.stringify(manifest)},
  (host) => {
    host.contribute(toolsPoint, {
      name: "remove",
      description: "Removes a file",
      inputSchema: { type: "object" },
      async execute({ path: asked }, { cwd, signal, keepFile }) {
        const options = { cwd, signal, timeoutMs: 10_000 };
        const { path } = await host.fs.locate(asked, options);
        const { bytes } = await host.fs.readFile(path, { ...options, maxBytes: 1_000 });
        await keepFile({ path, before: bytes, after: null });
        await host.fs.removeFile(path, { ...options, expected: bytes, place: path });
        return "Removed";
      },
    });
    host.contribute(toolsPoint, {
      name: "twice",
      description: "Changes a file twice",
      inputSchema: { type: "object" },
      async execute({ path: asked }, { cwd, signal, keepFile }) {
        const options = { cwd, signal, timeoutMs: 10_000 };
        const { path } = await host.fs.locate(asked, options);
        const [first, second, third] = ["first", "second", "third"].map((text) => new TextEncoder().encode(text));
        await keepFile({ path, before: first, after: third });
        await keepFile({ path, before: first, after: second });
        await host.fs.writeFile(path, second, options);
        await keepFile({ path, before: second, after: third });
        await host.fs.writeFile(path, third, options);
        return "Changed";
      },
    });
  },
);
`;

export async function addRemover({ home }: World, { client }: HostProcess): Promise<void> {
  const path = join(home, "remover");
  await Bun.write(join(path, "package.json"), JSON.stringify({ type: "module", incipit: manifest }));
  await Bun.write(join(path, "src/index.ts"), remover);
  await client.call(routes.addExtension, { body: { path, grant: manifest.capabilities } });
}
