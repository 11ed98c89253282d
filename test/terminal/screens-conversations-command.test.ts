import { test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { askingModel, askingServer, formOf } from "../support/asking-server.ts";
import { HostProcess } from "../support/host-process.ts";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { shellSession } from "./shell-session.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const config = `system_prompt = "You help."\ntools = { workspace = true }`;
const write = { id: "1", name: "write_file", arguments: '{"path":"new.md","content":"High water is at nine."}' };

function startHost({ work, home }: TerminalWorld): Promise<HostProcess> {
  return HostProcess.start({
    data: join(home, ".local/share/incipit"),
    config: join(home, ".config/incipit/incipit.toml"),
    cwd: work,
  });
}

async function untilConversations(host: HostProcess, holds: (body: string) => boolean): Promise<void> {
  while (!holds(await (await host.fetch("/conversations")).text()));
}

for (const columns of recordedWidths("screens-conversations-command 1"))
  test.concurrent(`running work: run --background, approve, queue, stop, follow and compact, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config });
    const { model } = world;
    await using screens = await RecordedScreens.of({ world, columns, name: "in-a-host" });
    await using host = await startHost(world);
    model.enqueue(
      { kind: "tool-calls", calls: [write] },
      { kind: "text", chunks: ["It is written."] },
      { kind: "never" },
    );
    const until = (holds: (body: string) => boolean): Promise<void> => untilConversations(host, holds);

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

const places = formOf(
  "Where are the tides wanted, and in which units? The tables know the harbours of the Atlantic coast.",
  {
    city: { type: "string", title: "City", description: "By the sea" },
    days: { type: "integer", title: "Days", minimum: 1, maximum: 7, default: 2 },
    units: { type: "string", title: "Units", enum: ["metres", "feet"] },
  },
  ["city"],
);

for (const columns of recordedWidths("screens-conversations-command 2"))
  test.concurrent(`incipit answer: shown, filled in by field, accepted and declined directly, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config, more: askingServer });
    await using screens = await RecordedScreens.of({ world, columns, name: "answers-a-host" });
    await using host = await startHost(world);
    world.model.enqueue(...askingModel(places, places, places));
    const known = new Set<string | undefined>([undefined]);
    const asks = (): Promise<void> =>
      untilConversations(host, (body) => {
        const id = /"questionId":"([^"]+)"/.exec(body)?.[1];
        const isNew = !known.has(id);
        known.add(id);
        return isNew;
      });

    const begun = shellSession(world, ['incipit run "When is high water?" --background --allow tides__echo'], {
      columns,
    });
    await begun.sees(/^\$$/m);
    await asks();
    const lines = ["incipit answer -c < /dev/null", "incipit answer -c"];
    const asked = shellSession(world, lines, { columns, rows: 60 });
    await asked.sees(/\[y\/n\]$/);
    asked.enter("y");
    await asked.sees(/City:$/);
    asked.enter("Porto");
    await asked.sees(/Days \[2\]:$/);
    asked.enter("nine");
    await asked.sees(/nine[\s\S]*Days \[2\]:$/);
    asked.type(keys.enter);
    await asked.sees(/Units:$/);
    asked.enter("1");
    await asked.sees(/Send it\?[^?]*\[y\/n\]$/);
    asked.enter("y");
    await screens.shows(asked, "Shown in a pipe, and asked at a terminal", { until: /^\$$/m });
    await asks();
    const told = shellSession(
      world,
      [`incipit answer -c accept '{"city": 4}'`, `incipit answer -c accept '{"city": "Porto"}'`],
      { columns },
    );
    await screens.shows(told, "Values that do not fit, and those that do", { until: /^\$$/m });
    await asks();
    const declined = shellSession(world, ["incipit answer -c decline", "incipit answer -c decline"], { columns });
    await screens.shows(declined, "It is declined; then nothing waits", { until: /^\$$/m });
  }, 120_000);

const titles = [
  "Mend the parser of dates, which takes the thirty-first of April for the first of May",
  "東京の潮は何時ですか",
  "When?",
];

for (const columns of recordedWidths("screens-conversations-command 3"))
  test.concurrent(`incipit list: filtered, limited, and paged, at ${columns} columns`, async () => {
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

for (const columns of recordedWidths("screens-conversations-command 4"))
  test.concurrent(`bulk actions: archived, shown and deleted conversations, with an unknown name, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config });
    await using screens = await RecordedScreens.of({ world, columns, name: "several" });
    for (const title of titles) await world.run(["-q", title]);
    const lines = [
      'incipit conversations archive "Mend the" nobody 東京',
      "incipit list all --no-pager",
      'incipit conversations unarchive "Mend the" 東京',
      "incipit conversations show When 東京",
      "incipit conversations delete When",
      "incipit conversations delete --yes When nobody",
      "incipit conversations delete --yes When? 東京の潮は何時ですか",
    ];

    const sitting = shellSession(world, lines, { columns, rows: 80 });
    await sitting.sees(/\[y\/N\]$/);
    sitting.enter("n");
    await screens.shows(sitting, "What a shell shows of it", { until: /^\$$/m });
  }, 120_000);
