import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess, incipit, type CommandResult } from "../host-process.ts";

const listedSchema = z.object({ id: z.string(), name: z.string().nullable(), state: z.string() });

test("[token-scopes] incipit token new, list and revoke work without a host that runs, and with one at once", async () => {
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
}, 30_000);
