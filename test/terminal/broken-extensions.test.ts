import { expect, test } from "bun:test";
import { testScreens } from "./recorded-screens.ts";
import { said } from "./said.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const manifest = { id: "acme.broken", version: "1.0.0", api: "^1", contributes: ["tools@1"] };
const options = {
  config: 'extensions.paths = ["../../broken"]',
  files: {
    "../broken/package.json": JSON.stringify({ name: "broken", incipit: manifest }),
    "../broken/src/index.ts": `import { defineExtension } from "@incipit/kernel";
export default defineExtension(${JSON.stringify(manifest)}, async () => { throw new Error("no luck"); });
`,
  },
};

test("the terminal reports a failed extension on opening, and tool lists its missing tools", async () => {
  await using world = await newTerminalWorld(options);
  const sitting = world.sit({ columns: 200 });

  await sitting.sees("What to do: incipit doctor");
  const before = await said(sitting, "/tools", "The first message fixes");
  await said(sitting, "Hello there", "Reply 1");
  const after = await said(sitting, "/tools", /are missing[^]*extensions load acme\.broken/);
  const doctor = await world.run(["doctor"]);
  const listed = await world.run(["conversations", "tools", "-c"]);

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
  await using world = await newTerminalWorld(options);
  const sitting = await world.openLines({ columns: 200 });

  expect(sitting.everything()).toContain('The extension "acme.broken" did not start (ACTIVATE_FAILED): ');
}, 300_000);

testScreens(
  "the terminal reports an extension that does not start, with its tools",
  { name: "broken-extension", ...options },
  async ({ sit, shell }) => {
    const sitting = sit({ rows: 60 });
    await sitting.shows("The terminal opens", { until: /incipit\s+doctor[\s\S]*local\/test/ });

    await sitting.enterUntil("Hello there", "Reply 1");
    sitting.enter("/tools");
    await sitting.shows("/tools", { until: /are\s+missing/, from: /^Reply 1/ });
    const asked = shell(["incipit conversations tools -c"], { rows: 60 });
    await asked.shows("incipit conversations tools", { until: /^\$$/m });
  },
);
