import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess, incipit, testedCommand } from "../support/host-process.ts";
import { FormBrowser } from "./form-browser.ts";
import { OverHttpServer } from "./over-http-server.ts";
import { signInServers } from "./sign-in-servers.ts";

const timeoutMs = 300_000;

test(
  "users sign in to servers from npm in a browser, tokens refresh, and lost clients require a new sign-in",
  async () => {
    await using scope = new AsyncDisposableStack();
    const folder = await realpath(scope.use(await createTempFolder()).path);
    const model = scope.use(await startRecordingModelServer({ isStrict: true }));
    const servers = await Promise.all(
      (await signInServers()).map(async (one) => ({
        ...one,
        over: scope.use(await OverHttpServer.start(one.server)),
      })),
    );
    const urlOf = ({ over, hostname }: (typeof servers)[number]): string =>
      hostname === undefined ? over.url : over.url.replace("127.0.0.1", hostname);
    const tables = servers.map((one) => {
      const { server, issuer } = one;
      const elsewhere = issuer === undefined ? "" : `oauth_server = "${issuer}"\n`;
      return `[mcp.servers.${server.name}]\nurl = "${urlOf(one)}"\noauth = true\n${elsewhere}approve = "allow"\ndefer = false\n`;
    });
    const config = join(folder, "incipit.toml");
    const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
    await Bun.write(config, `model = "local/test"\n${provider}${tables.join("")}`);
    const options = { data: join(folder, "data"), config, cwd: folder };
    const where = ["--data", options.data, "--config", config];
    const mcp = (...words: readonly string[]): ReturnType<typeof incipit> =>
      incipit(["mcp", ...words, ...where], { cwd: folder, home: folder });

    const signIn = async (name: string): Promise<{ page: string; forms: number; stderr: string }> => {
      await using child = Bun.spawn([...testedCommand, "mcp", "login", name, ...where], {
        cwd: folder,
        env: { PATH: process.env["PATH"] ?? "", HOME: folder },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const stderr = new Response(child.stderr).text();
      const address = await firstLine(child.stdout);
      if (address === undefined) throw new Error(`${name}: ${await stderr}`);
      const browser = new FormBrowser();
      const page = await browser.agree(address);
      await child.exited;
      return { page, forms: browser.submitted.length, stderr: await stderr };
    };
    const results = async (host: HostProcess): Promise<Readonly<Record<string, string>>> => {
      const found: Record<string, string> = {};
      for (const { server } of servers) {
        const name = `${server.name}__${server.call.tool}`;
        model.enqueue({
          kind: "tool-calls",
          calls: [{ id: "call", name, arguments: JSON.stringify(server.call.input) }],
        });
        const { id } = await host.createConversation();
        const events = await host.turn(id, { input: "go" });
        const end = events.find((event) => event.type === "tool-call-end");
        found[server.name] = end?.type === "tool-call-end" ? (end.error?.message ?? end.output ?? "") : "no call";
      }
      return found;
    };
    const answers = Object.fromEntries(
      servers.map(({ server }) => [server.name, expect.stringContaining(server.answer)]),
    );
    const questions = Object.fromEntries(
      servers.map(({ server: { name } }) => [
        name,
        expect.stringMatching(
          new RegExp(`^[^\\n]*The MCP server "${name}" [^\\n]*incipit mcp login ${name}\\b[^\\n]*\\n?$`),
        ),
      ]),
    );
    const tested = async (): Promise<Readonly<Record<string, string>>> => {
      const found: Record<string, string> = {};
      for (const { server } of servers) found[server.name] = (await mcp("test", server.name)).stderr;
      return found;
    };

    {
      await using host = await HostProcess.start(options);
      expect(await tested()).toEqual(questions);
      for (const { server, forms } of servers) {
        const signedIn = await signIn(server.name);
        expect({ name: server.name, ...signedIn }).toEqual({
          name: server.name,
          page: expect.stringContaining("you can close this page"),
          forms,
          stderr: expect.stringMatching(new RegExp(`The MCP server "${server.name}" runs, with `)),
        });
      }
      expect(await results(host)).toEqual(answers);
      for (const { issuer, over, expirePath } of servers)
        if (expirePath !== undefined)
          expect(await (await fetch(new URL(expirePath, issuer ?? over.url), { method: "POST" })).text()).toBe("1");
      expect(await results(host)).toEqual(answers);
    }
    await using host = await HostProcess.start(options);
    expect(await results(host)).toEqual(answers);

    for (const { over } of servers) await over.restart();
    expect(await results(host)).toEqual(questions);
    for (const { server } of servers) await signIn(server.name);
    expect(await results(host)).toEqual(answers);
  },
  timeoutMs,
);

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end !== -1) return text.slice(0, end);
  }
  return undefined;
}
