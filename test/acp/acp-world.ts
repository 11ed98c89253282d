import type { RecordingModelServer } from "@incipit/testkit";
import * as z from "zod";
import type { HostProcess, HostProcessOptions } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";
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
  const hosts = await HostWorld.create({ work: "work", config: `system_prompt = "Be of use."\n${settings}` });
  const { cwd, model, options } = hosts;
  const processes = new AsyncDisposableStack();
  processes.use(hosts);
  return {
    cwd,
    model,
    options,
    editor: async (more = {}) => processes.use(await AcpProcess.start({ ...options, ...more })),
    rawEditor: () => processes.use(new RawEditor(options)),
    host: () => hosts.start(),
    [Symbol.asyncDispose]: () => processes.disposeAsync(),
  };
}

interface AcpSession extends AsyncDisposable {
  readonly world: AcpWorld;
  readonly editor: AcpProcess;
  readonly session: string;
}

export async function openSession(settings = ""): Promise<AcpSession> {
  const world = await createAcpWorld(settings);
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  return { world, editor, session, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

export function messagesOf(body: string | undefined): readonly { readonly role: string; readonly text: string }[] {
  if (body === undefined) throw new Error("The model was asked nothing");
  return requestSchema.parse(JSON.parse(body)).messages.map(({ role, content }) => ({
    role,
    text: typeof content === "string" ? content : JSON.stringify(content),
  }));
}
