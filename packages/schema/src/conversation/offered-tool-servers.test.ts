import { expect, test } from "bun:test";
import { offeredServerName, offeredToolServersSchema } from "./offered-tool-servers.ts";

test("offeredServerName maps any name to a valid configured name, deterministically", () => {
  const names = [
    "files",
    "My notes!",
    "a__b",
    "___",
    "-",
    "a_",
    "é",
    "🎉",
    "x".repeat(200),
    `${"x".repeat(31)}__y`,
    "_a-_-_-",
  ];

  expect(names.map(offeredServerName)).toEqual([
    "files",
    "My-notes",
    "a_b",
    undefined,
    undefined,
    "a",
    undefined,
    undefined,
    "x".repeat(32),
    "x".repeat(31),
    "_a",
  ]);
});

test("offeredToolServersSchema rejects reserved headers and header injection", () => {
  const server = (headers: Readonly<Record<string, string>>, url = "https://mcp.acme.dev/mcp"): unknown => [
    { kind: "http", name: "x", url, headers },
  ];
  const isTaken = (servers: unknown): boolean => offeredToolServersSchema.safeParse(servers).success;

  expect(isTaken(server({ authorization: "Bearer a" }))).toBe(true);
  expect(isTaken(server({ Host: "elsewhere" }))).toBe(false);
  expect(isTaken(server({ "x-team": "a\r\nx-other: b" }))).toBe(false);
  expect(isTaken(server({}, "file:///etc/passwd"))).toBe(false);
  expect(isTaken(server({}, "https://ada:secret@mcp.acme.dev/"))).toBe(false);
});
