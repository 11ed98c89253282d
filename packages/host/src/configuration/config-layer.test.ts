import { expect, test } from "bun:test";
import { ConfigError } from "./config-error.ts";
import { readLayer } from "./config-layer.ts";

test("readLayer names a duplicate table or key, and the line of the first", () => {
  const problems = [
    'model = "a"\n\nmodel = "b"\n',
    "[mcp.servers.files]\ncommand = \"a\"\n\n# Once more.\n  [ mcp . 'servers'.files ]\n",
    "listen = 1\n[listen.page]\n",
    'listen.port = 1\n[listen]\nhost = "x"\n',
    "[x]\nlist = { one = 1, two = 2, one = 3 }\n",
    "[[x]]\none = 1\n[[x]]\none = 1\ntwo = 1\ntwo = 2\n",
    "[[x]]\n[x]\n",
    "a = 1 [\n",
  ].map((text) => {
    try {
      return readLayer(text, { file: "f.toml" });
    } catch (error) {
      return String(error);
    }
  });

  expect(problems.slice(0, 7)).toEqual(
    [
      '3: it defines "model", and line 1 has "model" already; make one of the two',
      '5: it defines "mcp.servers.files", and line 1 has "mcp.servers.files" already; make one of the two',
      '2: it defines "listen.page", and line 1 has "listen" already; make one of the two',
      '2: it defines "listen", and line 1 has "listen" already; make one of the two',
      '2: it defines "x.list.one", and line 2 has "x.list.one" already; make one of the two',
      '6: it defines "x.two", and line 5 has "x.two" already; make one of the two',
      '2: it defines "x", and line 1 has "x" already; make one of the two',
    ].map((problem) => `ConfigError: f.toml:${problem}`),
  );
  expect(problems[7]).toStartWith("ConfigError: f.toml:1: ");
});

test("readLayer names a repeated key before text that is nested without a limit", () => {
  for (const rest of ["2\nb = ", ""])
    expect(() => readLayer(`a = 1\na = ${rest}${"[".repeat(500_000)}`, { file: "f" })).toThrow(ConfigError);
});
