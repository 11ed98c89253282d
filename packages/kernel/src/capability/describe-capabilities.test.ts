import { expect, test } from "bun:test";
import { describeCapabilities } from "./describe-capabilities.ts";

test("describeCapabilities returns one line per capability", () => {
  expect(
    describeCapabilities({
      fs: { read: ["$cwd", "$cwd/notes", "/etc/motd"], write: ["$cwd"] },
      spawn: ["git"],
      net: ["api.acme.dev:443", "private:nas.lan:80"],
      env: ["X"],
      storage: { namespaces: ["a", "b"], maxBytes: 1_048_576 },
      listen: true,
      system: true,
    }),
  ).toEqual([
    "reads files below the working folder",
    "reads files at notes in the working folder and below",
    "reads files at /etc/motd and below",
    "writes files below the working folder",
    "starts the program git",
    "connects to api.acme.dev:443",
    "connects to nas.lan:80, also where that is in this machine or in a private network",
    "reads the variable X",
    "stores up to 1 MiB in a, b",
    "listens for connections",
    "imports system modules: it can do all that this process can",
  ]);
});

test("describeCapabilities labels unlimited capabilities and omits empty ones", () => {
  expect(describeCapabilities({ fs: true, spawn: true, net: true, env: true, storage: true })).toEqual([
    "reads and writes every file that this process can",
    "starts any program",
    "connects to any host, also in this machine and in private networks",
    "reads every variable of the environment",
    "stores data without a limit",
  ]);
  expect(describeCapabilities({ storage: {} })).toEqual(["stores data without a limit"]);
  expect(describeCapabilities({ storage: { maxBytes: 1_500 } })).toEqual(["stores up to 1500 bytes"]);
  expect(describeCapabilities({ spawn: [], fs: {}, storage: { namespaces: [] } })).toEqual([]);
});

test("[attack:terminal-grant-words] describeCapabilities escapes names with control or confusable characters", () => {
  expect(describeCapabilities({ spawn: ["git\u001B[2K\rls", 'a "b"', "gi\u202Et", "gi\u3164t"] })).toEqual([
    String.raw`starts the program "git\u{1b}[2K\u{d}ls"`,
    String.raw`starts the program "a \u{22}b\u{22}"`,
    String.raw`starts the program "gi\u{202e}t"`,
    String.raw`starts the program "gi\u{3164}t"`,
  ]);
  expect(describeCapabilities({ spawn: ["git"] })).toEqual(["starts the program git"]);
});
