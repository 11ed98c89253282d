/** A custom editor talks to the host, confirms a file change, and resumes its session after a restart. */
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import assert from "node:assert/strict";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const root = await realpath(folder.path);
const work = join(root, "work");
await mkdir(work);
const config = join(root, "incipit.toml");
await Bun.write(
  config,
  `model = "local/test"
system_prompt = "You write notes."
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }
tools.workspace = true`,
);
const incipit = [
  process.execPath,
  Bun.resolveSync("@incipit/host-bin/package.json", import.meta.dir).replace(/package\.json$/, "src/entry.ts"),
];
const command = [...incipit, "acp", "--data", join(root, "data"), "--config", config];

/** Runs the editor with typed lines and returns its output. */
async function edit(lines: readonly string[], session: readonly string[] = []): Promise<string> {
  const editor = Bun.spawn([process.execPath, join(import.meta.dir, "editor.ts"), ...session, ...command], {
    cwd: work,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    env: { PATH: process.env["PATH"] ?? "", HOME: root },
  });
  await editor.stdin.write(lines.map((line) => `${line}\n`).join(""));
  await editor.stdin.end();
  const shown = await new Response(editor.stdout).text();
  assert.equal(await editor.exited, 0);
  return shown;
}

// The user requests a note and approves the write.
const note = { path: "note.md", content: "Tides come twice a day.\n" };
model.enqueue(
  { kind: "tool-calls", calls: [{ id: "call_1", name: "write_file", arguments: JSON.stringify(note) }] },
  { kind: "text", chunks: ["Noted."] },
);
const first = await edit(["Note how often tides come.", "1"]);
assert.match(first, /note\.md/);
assert.match(first, /Noted\.\n\(end_turn\)/);
assert.equal(await Bun.file(join(work, "note.md")).text(), note.content);

// Editor and host have ended. Another editor loads the session and continues.
const [, id = ""] = /session (\S+)/.exec(first) ?? [];
model.enqueue({ kind: "text", chunks: ["Twice a day."] });
const second = await edit(["How often was it?"], [`--session=${id}`]);
assert.match(second, /> Note how often tides come\.\n/);
assert.match(second, /Twice a day\.\n\(end_turn\)/);

// All three calls share the same prefix and contain the whole history.
const bodies = model.requests.map(({ body }) => body);
assert.equal(bodies.length, 3);
const told = bodies.map((body) => JSON.stringify(JSON.parse(body).messages[0]));
assert.match(told[0] ?? "", /You write notes\./);
assert.equal(new Set(told).size, 1);
assert.match(bodies[2] ?? "", /Note how often tides come.*Noted\..*How often was it\?/);
process.stdout.write(
  "21-editor: a note was written once it was allowed, and a second editor went on where the first had ended\n",
);
