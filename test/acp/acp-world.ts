import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess, type HostProcessOptions } from "../support/host-process.ts";
import { AcpProcess, type AcpProcessOptions } from "./acp-process.ts";
import { RawEditor } from "./raw-editor.ts";

const requestSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

export interface AcpWorld extends AsyncDisposable {
  readonly cwd: string;
  readonly model: RecordingModelServer;
  readonly options: HostProcessOptions;
  editor(options?: Partial<AcpProcessOptions>): Promise<AcpProcess>;
  rawEditor(): RawEditor;
  host(): Promise<HostProcess>;
}

export async function createAcpWorld(settings = ""): Promise<AcpWorld> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const model = stack.use(await startRecordingModelServer());
  const root = await realpath(folder.path);
  const cwd = join(root, "work");
  await mkdir(cwd);
  const config = join(root, "incipit.toml");
  await Bun.write(
    config,
    `model = "local/test"
system_prompt = "Be of use."
${settings}
[providers.local]
kind = "openai-compatible"
base_url = "${model.url}"
`,
  );
  const options = { data: join(root, "data"), config, cwd };
  const processes = stack.use(new AsyncDisposableStack());
  const owned = stack.move();
  return {
    cwd,
    model,
    options,
    editor: async (more = {}) => processes.use(await AcpProcess.start({ ...options, ...more })),
    rawEditor: () => processes.use(new RawEditor(options)),
    host: async () => processes.use(await HostProcess.start(options)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export function messagesOf(body: string | undefined): readonly { readonly role: string; readonly text: string }[] {
  if (body === undefined) throw new Error("The model was asked nothing");
  return requestSchema.parse(JSON.parse(body)).messages.map(({ role, content }) => ({
    role,
    text: typeof content === "string" ? content : JSON.stringify(content),
  }));
}
