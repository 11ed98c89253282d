import { examineFolder, openTrustStore, readFolderConfig } from "@incipit/host/trust";
import type { ConversationId } from "@incipit/schema";
import { commandsHandle, skillsHandle, type CommandsService, type SkillsService } from "@incipit/service-contract";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { mkdir, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { coreSchema } from "../../config/core-schema.ts";
import { parseConfig } from "../../config/parse-config.ts";
import { createHost, type RunningHost } from "../../create-host.ts";

export interface SkillWorld extends AsyncDisposable {
  readonly home: string;
  readonly cwd: string;
  readonly model: RecordingModelServer;
  readonly client: Client;
  readonly skills: SkillsService;
  readonly commands: CommandsService;
  write(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<void>;
  remove(path: string): Promise<void>;
  trust(path: string): void;
  restart(): Promise<void>;
  begin(): Promise<ConversationId>;
  say(id: ConversationId, input: string): Promise<void>;
  told(): string | undefined;
  tools(): readonly string[];
}

export function skillText(name: string, description = `Is for ${name}`, body = `Do ${name}.`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
}

const bodySchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});

/** Template "Base."; `undefined` selects the built-in default. */
export async function createSkillWorld(
  toml = "",
  { systemPrompt }: { readonly systemPrompt: string | undefined } = { systemPrompt: "Base." },
): Promise<SkillWorld> {
  const temp = await createTempFolder();
  const home = await realpath(temp.path);
  const model = await startRecordingModelServer();
  const cwd = join(home, "repo/packages/app");
  await mkdir(join(home, "repo/.git"), { recursive: true });
  await mkdir(cwd, { recursive: true });
  const dataFolder = join(home, "data");
  const template = systemPrompt === undefined ? "" : `system_prompt = ${JSON.stringify(systemPrompt)}\n`;
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  const start = (): Promise<RunningHost> =>
    createHost({
      config: parseConfig(
        `model = "local/test"\n${template}listen.port = 0\n${toml.replaceAll("$HOME", home)}\n${provider}`,
        "incipit.toml",
      ),
      dataFolder,
      cwd,
      userFolder: join(home, "user"),
      env: {},
      writeLog: () => undefined,
    });
  let host = await start();
  const newest = (): z.infer<typeof bodySchema> =>
    bodySchema.parse(JSON.parse(model.requests.at(-1)?.body ?? "{}"));
  return {
    home,
    cwd,
    model,
    get client() {
      return createClient(host);
    },
    get skills() {
      return host.service(skillsHandle);
    },
    get commands() {
      return host.service(commandsHandle);
    },
    async write(path, content) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await Bun.write(join(home, path), content);
    },
    remove: (path) => rm(join(home, path), { recursive: true }),
    trust(path) {
      const store = openTrustStore(dataFolder, () => undefined);
      const { files, path: folder } = examineFolder(readFolderConfig(join(home, path)), {
        store,
        schema: coreSchema,
      });
      store.trust(folder, Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256])));
    },
    async restart() {
      await host.close();
      host = await start();
    },
    async begin() {
      return (await createClient(host).call(routes.createConversation, { body: {} })).conversation.id;
    },
    async say(id, input) {
      for await (const event of createClient(host).sendTurn(id, { input }))
        if (event.type === "turn-end" && event.status !== "completed") throw new Error(JSON.stringify(event));
    },
    told() {
      const system = newest().messages.find(({ role }) => role === "system");
      return system?.content ?? undefined;
    },
    tools: () => newest().tools.map(({ function: { name } }) => name),
    async [Symbol.asyncDispose]() {
      await host.close();
      await model[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}
