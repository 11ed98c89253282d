import { expect, test } from "bun:test";
import { configuration } from "./configuration.ts";
import { settingsIn, toServerSettings } from "./settings.ts";

test("configuration accepts a one-letter program and rejects an empty one", () => {
  const isTaken = (command: string): boolean => {
    const read = configuration.schema["~standard"].validate({ mcp: { servers: { x: { command } } } });
    return !(read instanceof Promise) && read.issues === undefined;
  };

  expect(["R", "npx", ""].map(isTaken)).toEqual([true, true, false]);
});

test("settingsIn replaces $cwd with the working folder, and defaults to a neutral folder", () => {
  const common = { start_timeout_seconds: 90, tools: { read: { approve: "allow" } } } as const;
  const program = { command: "npx", args: ["server", "$cwd", "$cwd/docs", "$cwd-not"], ...common };
  const settings = toServerSettings("x", { ...program, approve: "ask" });

  expect(settingsIn(settings, "/work")).toEqual({
    kind: "stdio",
    command: "npx",
    args: ["server", "/work", "/work/docs", "$cwd-not"],
    cwd: "/",
    isPerFolder: true,
    hasRoots: false,
    env: [],
    approve: "ask",
    startTimeoutMs: 90_000,
    hasInstructions: true,
    tools: { read: { approve: "allow" } },
  });
  const elsewhere = toServerSettings("x", { ...program, cwd: "$cwd/tools" });
  expect(settingsIn(elsewhere, "/work")).toMatchObject({ cwd: "/work/tools" });
  expect(toServerSettings("x", { url: "https://mcp.acme.dev/mcp", ...common, tools: {} })).toEqual({
    kind: "http",
    url: "https://mcp.acme.dev/mcp",
    headersEnv: {},
    remedy: "see that token_env names the variable with its token, or write oauth = true to sign in",
    startTimeoutMs: 90_000,
    hasInstructions: true,
    tools: {},
  });
});

test("toServerSettings shares one program unless a folder is named or roots are enabled", () => {
  const read = (server: object): unknown =>
    toServerSettings("x", { command: "npx", start_timeout_seconds: 30, tools: {}, ...server });

  expect(read({ args: ["a"] })).toMatchObject({ isPerFolder: false, hasRoots: false });
  expect(read({ roots: true })).toMatchObject({ isPerFolder: true, hasRoots: true });
  expect(read({ cwd: "$cwd" })).toMatchObject({ isPerFolder: true, hasRoots: false });
});
