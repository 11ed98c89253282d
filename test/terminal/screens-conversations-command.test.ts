import { test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess } from "../host-process.ts";
import { RecordedScreens } from "./recorded-screens.ts";
import { shellSession } from "./shell-session.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const config = `system_prompt = "You help."\ntools = { workspace = true }`;
const write = { id: "1", name: "write_file", arguments: '{"path":"new.md","content":"High water is at nine."}' };

for (const columns of [50, 80, 160])
  test.concurrent(`what runs in a host: run --background, approve, queue, stop, follow and compact, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config });
    const { model, work, home } = world;
    await using screens = await RecordedScreens.of({ world, columns, name: "in-a-host" });
    await using host = await HostProcess.start({
      data: join(home, ".local/share/incipit"),
      config: join(home, ".config/incipit/incipit.toml"),
      cwd: work,
    });
    model.enqueue(
      { kind: "tool-calls", calls: [write] },
      { kind: "text", chunks: ["It is written."] },
      { kind: "never" },
    );
    const until = async (holds: (body: string) => boolean): Promise<void> => {
      while (!holds(await (await host.fetch("/conversations")).text()));
    };

    const begun = shellSession(world, ['incipit run "Write down when high water is" --background'], { columns });
    await screens.shows(begun, "A task is given to the host", { until: /^\$$/m });
    await until((body) => body.includes('"approvals":[{'));
    const lines = ["incipit approve -c", "incipit approve -c allow"];
    await screens.shows(shellSession(world, lines, { columns, rows: 40 }), "approve", { until: /^\$$/m });
    await model.waitForRequests(2);
    await until((body) => body.includes('"status":"idle"'));
    const following = shellSession(world, ["incipit follow -c"], { columns });
    await following.sees("Following");
    const sent = [
      'incipit run -c "And low water?" --background',
      'incipit run -c "Then look it up in the tables of the harbour, and write it down as well" --background',
    ];
    await shellSession(world, sent, { columns }).sees(/^\$$/m);
    await model.waitForRequests(3);
    await screens.shows(following, "follow", { until: /low water/ });
    following.type(keys.ctrl("c"));
    await following.sees(/^(?:\^C)?\$$/m);
    await screens.shows(shellSession(world, ["incipit queue -c"], { columns }), "queue", { until: /^\$$/m });
    model.enqueue({ kind: "text", chunks: ["It is at three."] });
    await screens.shows(shellSession(world, ["incipit stop -c"], { columns }), "stop", { until: /^\$$/m });
    await model.waitForRequests(4);
    await until((body) => body.includes('"status":"idle"'));
    model.enqueue({ kind: "text", chunks: ["High water is at nine, low water at three."] });
    await screens.shows(shellSession(world, ["incipit compact -c"], { columns }), "compact", { until: /^\$$/m });
  }, 120_000);

const titles = [
  "Mend the parser of dates, which takes the thirty-first of April for the first of May",
  "東京の潮は何時ですか",
  "When?",
];

for (const columns of [50, 80, 160])
  test.concurrent(`incipit list: filtered, limited, and with a page of its own, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config });
    await using screens = await RecordedScreens.of({ world, columns, name: "list" });
    const elsewhere = join(world.home, "elsewhere");
    await mkdir(elsewhere);
    for (const title of titles) await world.run(["-q", title]);
    const lines = [
      "incipit list --no-pager",
      "incipit list --limit 1 --no-pager",
      "incipit list --since 1h --model local/test --no-pager",
      "incipit list --cwd ../elsewhere --no-pager",
      "incipit list archived --no-pager",
      "incipit conversations search parser",
      "PAGER='sed s/^/page:/' incipit list --limit 1",
    ];

    const sitting = shellSession(world, lines, { columns, rows: 60 });
    await screens.shows(sitting, "What a shell shows of it", { until: /^\$$/m });
  }, 120_000);
