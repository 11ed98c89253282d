import { SignInServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import type { HostProcess } from "../support/host-process.ts";
import { answerNotes } from "./notes-server.ts";
import { HostWorld } from "../support/host-world.ts";

test("a user signs in to an MCP server once, across restarts, until signing out", async () => {
  await using notes = new SignInServer({ mcp: answerNotes });
  await using world = await HostWorld.create({ config: `[mcp.servers.notes]\nurl = "${notes.url}"\noauth = true` });
  const { model } = world;
  const ask = (...words: readonly string[]): ReturnType<HostWorld["run"]> => world.run("mcp", ...words);
  const readNotes = async (host: HostProcess): Promise<string> => {
    model.enqueue({ kind: "tool-calls", calls: [{ id: "call-1", name: "notes__read", arguments: "{}" }] });
    await host.turn((await host.createConversation()).id, { input: "What was noted?" });
    return model.requests.at(-1)?.body ?? "";
  };

  let shown: string;
  let signedIn: string;
  {
    await using host = await world.start();
    expect((await ask("test", "notes")).stderr).toContain("wants you to sign in: incipit mcp login notes");
    const { command, cwd, home } = world.sitting("mcp", "login", "notes");
    const child = Bun.spawn([...command], {
      cwd,
      env: { ...process.env, HOME: home },
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
  const again = await world.start();
  const afterRestart = await readNotes(again);
  const out = await ask("logout", "notes");
  const afterwards = await ask("test", "notes");

  expect(shown).toContain("you can close this page");
  expect(signedIn).toContain('The MCP server "notes" runs, with 1 tool\n');
  expect(afterRestart).toContain("what was noted");
  expect(notes.grants).toEqual(["authorization_code", "refresh_token"]);
  expect(out).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Signed out of") });
  expect(afterwards.stderr).toContain("wants you to sign in: incipit mcp login notes");
});

test("a host with a rejected sign-in writes only log lines, at refresh and code exchange", async () => {
  let isRefused = false;
  await using notes = new SignInServer({
    mcp: answerNotes,
    tokens: () => (isRefused ? Response.json({ error: "invalid_grant" }, { status: 400 }) : {}),
  });
  const config = `[mcp.servers.notes]\nurl = "${notes.url}"\noauth = true\noauth_client_id = "client-1"`;
  await using world = await HostWorld.create({ config });
  const params = { name: "notes" };
  const redirectUrl = "http://127.0.0.1:9/callback";
  notes.register("client-1", redirectUrl);
  const signIn = async (client: Client): Promise<unknown> => {
    const { authorizationUrl } = await client.call(routes.beginToolServerSignIn, { params, body: { redirectUrl } });
    const address = await notes.allow(authorizationUrl);
    return client.call(routes.finishToolServerSignIn, { params, body: { address } });
  };
  const stderr: Promise<string>[] = [];
  const withHost = async (act: (client: Client) => Promise<unknown>): Promise<void> => {
    await using host = await world.start();
    stderr.push(host.stderr());
    await act(createClient({ url: host.url, token: host.token }));
  };

  await withHost(signIn);
  notes.expire();
  isRefused = true;
  await withHost(async (client) => {
    const { server } = await client.call(routes.startToolServer, { params });
    expect(server.error).toBe("wants you to sign in: incipit mcp login notes");
    expect(await signIn(client).catch(String)).toContain("invalid_grant");
  });

  const lines = (await Promise.all(stderr)).join("").trim().split("\n");
  expect(lines.filter((line) => !/^\d{4}-\S+Z (?:debug|info|warn|error) /.test(line))).toEqual([]);
  expect(notes.grants).toEqual(["authorization_code", "refresh_token", "authorization_code"]);
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
