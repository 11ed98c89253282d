import type { ConfiguredKeyInfo } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { runAgainst } from "../testing/run-command.ts";

const keys: readonly ConfiguredKeyInfo[] = [
  { path: ["listen", "host"], value: "127.0.0.1", origin: { kind: "default" }, isRedacted: false },
  { path: ["listen", "port"], value: 0, origin: { kind: "flag", name: "--port" }, isRedacted: false },
  { path: ["model"], value: "a/b", origin: { kind: "variable", name: "INCIPIT_MODEL" }, isRedacted: false },
  {
    path: ["providers", "my.work", "base_url"],
    value: "https://acme.dev/\u202E",
    origin: { kind: "file", file: "/home/ada/incipit.toml", line: 7 },
    isRedacted: true,
  },
  { path: ["telemetry", "otlp_url"], value: null, origin: { kind: "not-set" }, isRedacted: false },
];

async function run(...words: readonly string[]): Promise<readonly [string, string]> {
  const { stdout, stderr } = await runAgainst(["config", ...words], { keys });
  return [stdout, stderr];
}

test("config prints configured keys, each with its place, without control sequences", async () => {
  const [stdout, stderr] = await run();

  expect(stdout.split("\n")).toEqual([
    "listen.port = 0  # --port",
    'model = "a/b"  # variable INCIPIT_MODEL',
    expect.stringMatching(
      /^providers\."my\.work"\.base_url = "https:\/\/acme\.dev\/.*"  # \/home\/ada\/incipit\.toml:7$/,
    ),
    "",
  ]);
  expect(stdout).not.toContain("\u202E");
  expect(stderr).toContain("(2 more have their defaults");
  expect(stderr).toContain("(Secrets are left out)");
});

test("config with words prints every matching key, also unset ones", async () => {
  expect((await run("listen", "host"))[0]).toBe('listen.host = "127.0.0.1"  # default\n');
  expect((await run("otlp"))[0]).toBe("# telemetry.otlp_url  # not set\n");
  expect((await run("nothing", "such"))[1]).toContain('No key of 5 has "nothing" and "such" in its name');
});
