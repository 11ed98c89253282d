import type { ConversationId, FileChanges } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess, type HostProcessOptions } from "../support/host-process.ts";

export interface Call {
  readonly name: "edit_file" | "write_file" | "shell" | "read_file" | "remove" | "twice" | "agent";
  readonly input: Readonly<Record<string, unknown>>;
}

export interface World {
  readonly cwd: string;
  readonly options: HostProcessOptions;
  readonly data: string;
  start(): Promise<Started>;
  calls(...calls: readonly Call[]): void;
}

export interface Started {
  readonly host: HostProcess;
  readonly client: Client;
}

export async function createWorld(scope: AsyncDisposableStack, more = ""): Promise<World> {
  const folder = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer({ isStrict: true }));
  const root = await realpath(folder.path);
  const [data, config, cwd] = [join(root, "data"), join(root, "incipit.toml"), join(root, "work")];
  await mkdir(cwd);
  await Bun.write(
    config,
    `model = "local/test"\ntools.workspace = true\n${more}
[approvals]\nallow = ["edit_file", "write_file", "shell", "remove", "twice"]
[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  const options = { data, config, cwd: root };
  let count = 0;
  return {
    cwd,
    options,
    data,
    async start() {
      const host = scope.use(await HostProcess.start(options));
      return { host, client: createClient({ url: host.url, token: host.token }) };
    },
    calls(...calls) {
      for (const { name, input } of calls) {
        count += 1;
        const call = { id: `call_${count}`, name, arguments: JSON.stringify(input) };
        model.enqueue({ kind: "tool-calls", calls: [call] });
      }
      model.enqueue({ kind: "text", chunks: ["Done."] });
    },
  };
}

export async function turn({ host, client }: Started, id: ConversationId): Promise<string> {
  const events = await host.turn(id, { input: "Do it" });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  const { messages } = await client.call(routes.listMessages, { params: { id }, query: { order: "newest" } });
  return messages.find(({ role }) => role === "user")?.id ?? "";
}

export async function begin({ client }: Started, { cwd }: World): Promise<ConversationId> {
  return (await client.call(routes.createConversation, { body: { cwd } })).conversation.id;
}

export function changesOf({ client }: Started, id: ConversationId, from: string): Promise<FileChanges> {
  return client.call(routes.listFileChanges, { params: { id }, query: { from } });
}

export async function restore(
  { client }: Started,
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

export const edit = (path: string, oldText: string, newText: string): Call => ({
  name: "edit_file",
  input: { path, oldText, newText },
});
export const write = (path: string, content: string): Call => ({
  name: "write_file",
  input: { path, content, overwrite: true },
});
export const remove = (path: string): Call => ({ name: "remove", input: { path } });

const remover = `import { defineExtension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
export default defineExtension(
  { id: "acme.remover", version: "1.0.0", api: "^1", capabilities: { fs: { read: ["$cwd"], write: ["$cwd"] } }, contributes: ["tools@1"] },
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

export async function addRemover(scope: AsyncDisposableStack, { client }: Started): Promise<void> {
  const folder = scope.use(await createTempFolder());
  const manifest = {
    id: "acme.remover",
    version: "1.0.0",
    api: "^1",
    capabilities: { fs: { read: ["$cwd"], write: ["$cwd"] } },
    contributes: ["tools@1"],
  };
  await Bun.write(join(folder.path, "package.json"), JSON.stringify({ type: "module", incipit: manifest }));
  await Bun.write(join(folder.path, "src/index.ts"), remover);
  const body = { path: folder.path, grant: manifest.capabilities };
  await client.call(routes.addExtension, { body });
}
