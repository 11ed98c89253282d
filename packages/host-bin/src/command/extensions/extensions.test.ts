import { expect, test } from "bun:test";
import { answeringHost, refusal } from "../testing/answering-host.ts";
import { bareExtension } from "../testing/bare-extension.ts";
import { runCommand, type RanAgainst } from "../testing/run-command.ts";
import { drawGraph } from "./extensions.ts";
import { detailsOf } from "./extension-text.ts";

async function run(words: readonly string[], ...answers: readonly unknown[]): Promise<RanAgainst> {
  const { client, requests } = answeringHost(...answers);
  return { ...(await runCommand(["extensions", ...words], { client })), requests };
}

const { id } = bareExtension;
const answer = { extension: bareExtension };

test("extensions list prints a header except in JSON", async () => {
  const all = { extensions: [bareExtension, { ...bareExtension, id: "acme.report" }] };

  const listed = await run([], all);
  const json = await run(["list", "--json"], all);

  expect([listed.exitCode, json.exitCode]).toEqual([0, 0]);
  expect(listed.stdout.split("\n").map((line) => line.split(" ")[0])).toEqual([
    "id",
    "acme.weather",
    "acme.report",
    "",
  ]);
  expect(json.stdout.split("\n").map((line) => line && JSON.parse(line).id)).toEqual([
    "acme.weather",
    "acme.report",
    "",
  ]);
});

test("extensions graph draws all extensions, and prints them as JSON", async () => {
  const all = { extensions: [bareExtension] };

  expect(await run(["graph"], all)).toMatchObject({ exitCode: 0, stdout: drawGraph([bareExtension]) });
  expect(JSON.parse((await run(["graph", "--json"], all)).stdout)).toEqual([bareExtension]);
});

test("extensions load, unload and show name the extension, and a failed load fails", async () => {
  const failed = { extension: { ...bareExtension, phase: "failed" } };

  const loaded = await run(["load", id], answer);
  const notLoaded = await run(["load", id], failed);
  const unloaded = await run(["unload", id], answer);
  const shown = await run(["show", id], answer);

  expect(loaded).toMatchObject({ exitCode: 0, stderr: "", requests: [{ route: `POST /extensions/${id}/load` }] });
  expect(notLoaded).toMatchObject({ exitCode: 1, stderr: `"${id}" did not start: it is failed\n` });
  expect(unloaded).toMatchObject({ exitCode: 0, requests: [{ route: `POST /extensions/${id}/unload` }] });
  for (const { stdout } of [loaded, notLoaded, unloaded]) expect(stdout).toStartWith(`${id} `);
  expect(shown).toMatchObject({ exitCode: 0, stdout: detailsOf(bareExtension) });
  expect(JSON.parse((await run(["show", id, "--json"], answer)).stdout)).toEqual(bareExtension);
});

test("extensions remove keeps stored data, with --yes without a question", async () => {
  const none = await run(["remove", id, "--yes"], { ...answer, stored: 0 });
  const some = await run(["remove", id, "--yes"], { ...answer, stored: 3 });
  const json = await run(["remove", id, "--yes", "--json"], { ...answer, stored: 3 });

  expect([none.exitCode, some.exitCode]).toEqual([0, 0]);
  expect(none.stdout).toBe(`Removed "${id}" and its grant; its stored data is kept\n`);
  expect(some.stdout).toBe(`Removed "${id}" and its grant; its stored data is kept (entries: 3)\n`);
  expect(some.requests).toHaveLength(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ id });
});

test("extensions swap reports the result, also by exit code", async () => {
  const report = {
    from: { version: "1.2.0", generation: 1 },
    to: { version: "1.3.0", generation: 2 },
    drained: 1,
    cut: 2,
    tookMs: 7.4,
    at: bareExtension.since,
  };
  const error = { code: "CODE_FAILED", message: "no luck" };

  for (const [outcome, exitCode, said] of [
    ["swapped", 0, `Swapped "${id}" from 1.2.0 (#1) to 1.3.0 (#2): 1 call ended, 2 cut, 7 ms\n`],
    ["loaded", 0, `Loaded "${id}" 1.3.0 (#2)\n`],
    ["kept-old", 1, `Kept "${id}" 1.2.0 (#1), which never stopped: 1.3.0 (#2) did not start: no luck\n`],
    ["restored-old", 1, `Started "${id}" 1.2.0 again: 1.3.0 (#2) did not start: no luck\n`],
    ["failed", 1, `"${id}" has stopped: neither 1.3.0 (#2) nor 1.2.0 started: no luck\n`],
  ] as const) {
    const told = { ...report, outcome, ...(exitCode === 0 ? {} : { error }) };
    expect(await run(["swap", id], told)).toMatchObject({ exitCode, stdout: said });
    expect(JSON.parse((await run(["swap", id, "--json"], told)).stdout)).toMatchObject({ outcome });
  }
  const moved = await run(["swap", id, "/there"], { ...report, outcome: "loaded" });
  expect(moved.requests).toEqual([{ route: `POST /extensions/${id}/swap`, body: { path: "/there" } }]);
});

test("extensions add prints the added extension with its absolute path", async () => {
  const { exitCode, stdout, requests } = await run(["add", "/x/../there"], answer);

  expect(exitCode).toBe(0);
  expect(stdout).toStartWith(`${id} `);
  expect(requests).toEqual([{ route: "POST /extensions", body: { path: "/there" } }]);
  expect(await run(["add", "/x"], refusal("FOLDER_INVALID")).catch((error: unknown) => error)).toMatchObject({
    code: "FOLDER_INVALID",
  });
});
