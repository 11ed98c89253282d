import { acpEditorQuirks, type AcpEditorQuirk } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { createAcpWorld } from "./acp-world.ts";
import type { RawEditor, RawMessage } from "./raw-editor.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(createAcpWorld("[tools]\nworkspace = true"));
await world.host();

const sessionSchema = z.looseObject({ sessionId: z.string() });

for (const quirk of acpEditorQuirks)
  test(`incipit acp, quirk ${quirk.id} of an editor: ${quirk.does}`, async () => {
    const { hello, session = {}, between = [], permission, sees } = quirk;
    const ran = join(world.cwd, "ran.txt");
    await rm(ran, { force: true });
    await using editor = world.rawEditor();
    const ask = asker(editor, quirk);

    const introduction = await ask("initialize", hello ?? { protocolVersion: 1, clientCapabilities: {} });
    const opened = await ask("session/new", { cwd: world.cwd, mcpServers: [], ...session });
    expect([introduction.error, opened.error]).toEqual([undefined, undefined]);
    const { sessionId } = sessionSchema.parse(opened.result);
    const codes: number[] = [];
    for (const { method, params } of between) codes.push((await ask(method, params, sessionId)).error?.code ?? 0);
    if (permission !== undefined) {
      const call = { id: "call-1", name: "shell", arguments: '{"command":"echo ran > ran.txt"}' };
      world.model.enqueue({ kind: "tool-calls", calls: [call] }, { kind: "text", chunks: ["Done."] });
    }
    const answer = ask("session/prompt", { sessionId, prompt: quirk.prompt ?? [{ type: "text", text: "Hello" }] });
    if (permission !== undefined) await answerQuestion(editor, permission);
    const { result, error } = await answer;
    await editor.leave();

    expect(error).toBeUndefined();
    expect(result).toMatchObject({ stopReason: "end_turn" });
    expect(codes).toEqual([...(sees.between ?? [])]);
    for (const part of sees.model ?? []) expect(sentToModel()).toContain(part);
    for (const part of sees.log ?? []) expect(await editor.stderr()).toContain(part);
    if (sees.hasRun !== undefined) expect(await Bun.file(ran).exists()).toBe(sees.hasRun);
  }, 60_000);

function asker(
  editor: RawEditor,
  { frame = (message) => `${JSON.stringify(message)}\n` }: AcpEditorQuirk,
): (method: string, params: unknown, sessionId?: string) => Promise<RawMessage> {
  let count = 0;
  return async (method, params, sessionId = "") => {
    const id = `${method}-${(count += 1)}`;
    const line = frame({ jsonrpc: "2.0", id, method, params });
    await editor.write(line.replaceAll("$cwd", world.cwd).replaceAll("$session", sessionId));
    return editor.answerTo(id);
  };
}

async function answerQuestion(editor: RawEditor, result: unknown): Promise<void> {
  const question = (): RawMessage | undefined =>
    editor.messages.find(({ method }) => method === "session/request_permission");
  await editor.until(() => question() !== undefined);
  await editor.send({ id: question()?.id, result });
}

function sentToModel(): string {
  const { body = "{}" } = world.model.requests.at(-1) ?? {};
  const { messages } = z
    .looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) })
    .parse(JSON.parse(body));
  const content = messages.findLast(({ role }) => role === "user")?.content;
  return typeof content === "string" ? content : JSON.stringify(content);
}
