import { expect, test } from "bun:test";
import { lineOfKey } from "./line-of-key.ts";

const text = `# model = "in a comment"
model = "a/b" # port = 1
system_prompt = """
port = 1
[listen]
\\"""" # the end
append_system_prompt = '''
host = 2'''

[ listen ] # port = 2
host = "[providers.x]"
allowed_hosts = [
  "port = 3", # }
  'host = 4',
]
"port" = 5

[providers."a.b"]
kind = "x"
[providers]
c.kind = "x"
d = { kind = "x",
  base_url = "}", e = [{ f = 1 }] }
`;

const lines = [
  [["model"], 2],
  [["system_prompt"], 3],
  [["append_system_prompt"], 7],
  [["listen"], 10],
  [["listen", "host"], 11],
  [["listen", "allowed_hosts", 1], 12],
  [["listen", "port"], 16],
  [["providers", "a.b"], 18],
  [["providers", "a.b", "kind"], 19],
  [["providers", "c", "kind"], 21],
  [["providers", "d", "kind"], 22],
  [["providers", "d", "base_url"], 23],
  [["providers", "d", "e", "f"], 23],
  [["providers", "d", "nothing"], 22],
  [["nothing"], 1],
] as const;

for (const [path, line] of lines) {
  test(`lineOfKey finds ${path.join(".")} in line ${line}`, () => {
    expect(lineOfKey(text, path)).toBe(line);
  });
}

test("lineOfKey terminates for any text", () => {
  for (const broken of ["= = =", "[[[", "a = [1, {", '"', "a = '''", "\u0000", "a.\n.b", "{}{}{", "a = ]"])
    expect(lineOfKey(broken, ["a"])).toBeGreaterThan(0);
});
