import { expect, test } from "bun:test";
import { configuration } from "./configuration.ts";
import { toServerSettings } from "./settings.ts";

test("configuration takes a program of one letter, and none without a name", () => {
  const isTaken = (command: string): boolean => {
    const read = configuration.schema["~standard"].validate({ mcp: { servers: { x: { command } } } });
    return !(read instanceof Promise) && read.issues === undefined;
  };

  expect(["R", "npx", ""].map(isTaken)).toEqual([true, true, false]);
});

test("toServerSettings puts the host's working folder where $cwd stands, and starts a program nowhere in particular", () => {
  const common = { start_timeout_seconds: 90, tools: { read: { approve: "allow" } } } as const;
  const program = { command: "npx", args: ["server", "$cwd", "$cwd/docs", "$cwd-not"], ...common };

  expect(toServerSettings("x", { ...program, approve: "ask" }, "/work")).toEqual({
    kind: "stdio",
    command: "npx",
    args: ["server", "/work", "/work/docs", "$cwd-not"],
    cwd: "/",
    env: [],
    approve: "ask",
    startTimeoutMs: 90_000,
    hasInstructions: true,
    tools: { read: { approve: "allow" } },
  });
  expect(toServerSettings("x", { ...program, cwd: "$cwd/tools" }, "/work")).toMatchObject({ cwd: "/work/tools" });
  expect(toServerSettings("x", { url: "https://mcp.acme.dev/mcp", ...common, tools: {} }, "/work")).toEqual({
    kind: "http",
    url: "https://mcp.acme.dev/mcp",
    headersEnv: {},
    remedy: "see that token_env names the variable with its token, or write oauth = true to sign in",
    startTimeoutMs: 90_000,
    hasInstructions: true,
    tools: {},
  });
});
