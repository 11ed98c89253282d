import { createTempFolder, SignInServer, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, incipit, testedCommand } from "./host-process.ts";
import { answerNotes } from "./notes-server.ts";

test("a user signs in to an MCP server once, across restarts, until signing out", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await using notes = new SignInServer({ mcp: answerNotes });
  const config = join(folder.path, "incipit.toml");
  await Bun.write(
    config,
    `model = "local/test"
[providers.local]
kind = "openai-compatible"
base_url = "${model.url}"
[mcp.servers.notes]
url = "${notes.url}"
oauth = true
`,
  );
  const options = { data: join(folder.path, "data"), config, cwd: folder.path };
  const where = ["--data", options.data, "--config", config];
  const ask = (...words: readonly string[]): ReturnType<typeof incipit> =>
    incipit(["mcp", ...words, ...where], { cwd: folder.path, home: folder.path });
  const readNotes = async (host: HostProcess): Promise<string> => {
    model.enqueue({ kind: "tool-calls", calls: [{ id: "call-1", name: "notes__read", arguments: "{}" }] });
    await host.turn((await host.createConversation()).id, { input: "What was noted?" });
    return model.requests.at(-1)?.body ?? "";
  };

  let shown: string;
  let signedIn: string;
  {
    await using host = await HostProcess.start(options);
    expect((await ask("test", "notes")).stderr).toContain("wants you to sign in: incipit mcp login notes");
    const child = Bun.spawn([...testedCommand, "mcp", "login", "notes", ...where], {
      cwd: folder.path,
      env: { ...process.env, HOME: folder.path },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [first] = await Array.fromAsync(lines(child.stdout, 1));
    const back = await notes.allow(first ?? "");
    shown = await (await fetch(back)).text();
    expect(await child.exited).toBe(0);
    signedIn = await new Response(child.stderr).text();
    expect(await readNotes(host)).toContain("what was noted");
  }
  notes.expire();
  await using again = await HostProcess.start(options);
  const afterRestart = await readNotes(again);
  const out = await ask("logout", "notes");
  const afterwards = await ask("test", "notes");

  expect(shown).toContain("you can close this page");
  expect(signedIn).toContain('The MCP server "notes" runs, with 1 tool\n');
  expect(afterRestart).toContain("what was noted");
  expect(notes.grants).toEqual(["authorization_code", "refresh_token"]);
  expect(out).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("has forgotten its sign-in") });
  expect(afterwards.stderr).toContain("wants you to sign in: incipit mcp login notes");
});

async function* lines(stream: ReadableStream<Uint8Array>, count: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  let told = 0;
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
      told += 1;
      if (told === count) return;
    }
  }
}
