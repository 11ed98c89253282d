import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess, incipit, type CommandResult } from "../support/host-process.ts";

const listedSchema = z.object({ id: z.string(), name: z.string().nullable(), state: z.string() });

test("[never-lost] created and revoked tokens survive SIGKILL", async () => {
  await using folder = await createTempFolder();
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  await Bun.write(options.config, "");
  const madeSchema = z.object({ token: z.object({ id: z.string() }), secret: z.string() });
  let host = await HostProcess.start(options);
  const make = async (): Promise<z.infer<typeof madeSchema>> =>
    madeSchema.parse(await host.json("/tokens", { body: { scopes: ["read"], days: 1 } }));
  const [kept, revoked] = [await make(), await make()];
  await host.json(`/tokens/${revoked.token.id}`, { method: "DELETE" });
  await host.kill("SIGKILL");
  host = await HostProcess.start(options);
  await using again = host;
  const statusOf = async ({ secret }: { readonly secret: string }): Promise<number> =>
    (await again.fetch("/models", { headers: { authorization: `Bearer ${secret}` } })).status;

  expect([await statusOf(kept), await statusOf(revoked)]).toEqual([200, 401]);
}, 300_000);

test("[token-scopes] incipit token new, list and revoke work with and without a running host", async () => {
  await using folder = await createTempFolder();
  const data = join(folder.path, "data");
  const config = join(folder.path, "incipit.toml");
  await Bun.write(config, "");
  const token = (...words: readonly string[]): Promise<CommandResult> =>
    incipit(["token", ...words, "--data", data, "--config", config], { cwd: folder.path, home: folder.path });
  const made = await token("new", "--scope", "read", "--days", "2", "--name", "laptop");
  const secret = made.stdout.trim();
  await using host = await HostProcess.start({ data, config, cwd: folder.path });
  const status = async (path: string): Promise<number> =>
    (await host.fetch(path, { headers: { authorization: `Bearer ${secret}` } })).status;

  expect(secret).toMatch(/^incipit_[\w-]{43}$/);
  expect(made.stderr).not.toContain(secret);
  expect([await status("/models"), await status("/tokens")]).toEqual([200, 403]);
  const [line] = (await token("list", "--json")).stdout.trim().split("\n");
  expect(listedSchema.parse(JSON.parse(line ?? ""))).toMatchObject({ name: "laptop", state: "active" });
  expect((await token("revoke", "laptop")).exitCode).toBe(0);
  expect(await status("/models")).toBe(401);
  expect((await token("list")).stdout).toContain("revoked");
  expect((await token("revoke", "nobody")).stderr).toContain('"incipit token list" lists them');
  expect((await token("--scope", "read")).exitCode).toBe(2);
}, 300_000);
