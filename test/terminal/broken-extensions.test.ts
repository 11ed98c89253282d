import { conversationSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { RecordedScreens } from "./recorded-screens.ts";
import { said } from "./said.ts";
import { shellSession } from "./shell-session.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

async function newWorldWithBroken(): Promise<TerminalWorld> {
  const world = await newTerminalWorld({ config: 'extensions.paths = ["../broken"]' });
  const manifest = { id: "acme.broken", version: "1.0.0", api: "^1", contributes: ["tools@1"] };
  const folder = join(world.home, "broken");
  await Bun.write(join(folder, "package.json"), JSON.stringify({ name: "broken", incipit: manifest }));
  await Bun.write(
    join(folder, "src/index.ts"),
    `import { defineExtension } from "@incipit/kernel";\nexport default defineExtension(${JSON.stringify(manifest)}, async () => { throw new Error("no luck"); });\n`,
  );
  const file = join(world.home, ".config/incipit/incipit.toml");
  await Bun.write(file, (await Bun.file(file).text()).replace("../broken", folder));
  return world;
}

async function onlyId(world: TerminalWorld): Promise<string> {
  const { stdout } = await world.run(["conversations", "--json"]);
  return conversationSchema.parse(JSON.parse(stdout)).id;
}

test("the terminal reports a failed extension on opening, and tool lists its missing tools", async () => {
  await using world = await newWorldWithBroken();
  const sitting = world.sit({ columns: 200 });

  await sitting.sees("What to do: incipit doctor");
  const before = await said(sitting, "/tools", "The first message fixes");
  await said(sitting, "Hello there", "Reply 1");
  const after = await said(sitting, "/tools", /are missing[^]*extensions load acme\.broken/);
  const doctor = await world.run(["doctor"]);
  const listed = await world.run(["conversations", "tools", await onlyId(world)]);

  expect(sitting.everything()).toContain('The extension "acme.broken" did not start (ACTIVATE_FAILED): ');
  expect(before).toContain('The tools of "acme.broken" are missing');
  expect(after).toContain("no luck");
  expect(doctor.exitCode).toBe(1);
  expect(doctor.stdout).toMatch(
    /WRONG +extensions: "acme\.broken" did not start \(ACTIVATE_FAILED\): .*no luck.*\n.*\/broken\n +-> .*incipit extensions load acme\.broken/,
  );
  expect(doctor.stdout.match(/acme\.broken" /g)).toHaveLength(1);
  expect(listed.stdout).toContain('The tools of "acme.broken" are missing');
}, 300_000);

test("line mode reports a failed extension as well", async () => {
  await using world = await newWorldWithBroken();
  const sitting = world.sit({ columns: 200, args: ["--screen-reader"] });

  await sitting.sees("An empty line or Ctrl-D ends it.");

  expect(sitting.everything()).toContain('The extension "acme.broken" did not start (ACTIVATE_FAILED): ');
}, 300_000);

for (const columns of [50, 80])
  test(`the terminal reports an extension that does not start, with its tools, at ${columns} columns`, async () => {
    await using world = await newWorldWithBroken();
    await using screens = await RecordedScreens.of({ world, columns, name: "broken-extension" });
    const sitting = world.sit({ columns, rows: 60 });
    await screens.shows(sitting, "The terminal opens", { until: /incipit\s+doctor[\s\S]*local\/test/ });

    sitting.enter("Hello there");
    await sitting.sees("Reply 1");
    sitting.enter("/tools");
    await screens.shows(sitting, "/tools", { until: /are\s+missing/, from: /^Reply 1/ });
    const asked = shellSession(world, ["incipit conversations tools -c"], { columns, rows: 60 });
    await screens.shows(asked, "incipit conversations tools", { until: /^\$$/m });
  }, 300_000);
