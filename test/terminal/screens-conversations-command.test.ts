import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { askingModel, askingServer, formOf } from "../support/asking-server.ts";
import type { HostProcess } from "../support/host-process.ts";
import { testScreens } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";

const config = `system_prompt = "You help."\ntools = { workspace = true }`;
const write = { id: "1", name: "write_file", arguments: '{"path":"new.md","content":"High water is at nine."}' };

async function untilConversations(host: HostProcess, holds: (body: string) => boolean): Promise<void> {
  while (!holds(await (await host.fetch("/conversations")).text()));
}

testScreens(
  "running work: run --background, approve, queue, stop, follow and compact",
  { name: "in-a-host", config },
  async ({ world, shell }) => {
    const { model } = world;
    const host = await world.host();
    model.enqueue(
      { kind: "tool-calls", calls: [write] },
      { kind: "text", chunks: ["It is written."] },
      { kind: "never" },
    );
    const until = (holds: (body: string) => boolean): Promise<void> => untilConversations(host, holds);

    const begun = shell(['incipit run "Write down when high water is" --background']);
    await begun.shows("A task is given to the host", { until: /^\$$/m });
    await until((body) => body.includes('"approvals":[{'));
    const lines = ["incipit approve -c", "incipit approve -c allow"];
    await shell(lines, { rows: 40 }).shows("approve", { until: /^\$$/m });
    await model.waitForRequests(2);
    await until((body) => body.includes('"status":"idle"'));
    const following = shell(["incipit follow -c"]);
    await following.sees("Following");
    const sent = [
      'incipit run -c "And low water?" --background',
      'incipit run -c "Then look it up in the tables of the harbour, and write it down as well" --background',
    ];
    await shell(sent).sees(/^\$$/m);
    await model.waitForRequests(3);
    await following.shows("follow", { until: /low water/ });
    await following.typeUntil(keys.ctrl("c"), /^(?:\^C)?\$$/m);
    await shell(["incipit queue -c"]).shows("queue", { until: /^\$$/m });
    model.enqueueText("It is at three.");
    await shell(["incipit stop -c"]).shows("stop", { until: /^\$$/m });
    await model.waitForRequests(4);
    await until((body) => body.includes('"status":"idle"'));
    model.enqueueText("High water is at nine, low water at three.");
    await shell(["incipit compact -c"]).shows("compact", { until: /^\$$/m });
  },
);

const places = formOf(
  "Where are the tides wanted, and in which units? The tables know the harbours of the Atlantic coast.",
  {
    city: { type: "string", title: "City", description: "By the sea" },
    days: { type: "integer", title: "Days", minimum: 1, maximum: 7, default: 2 },
    units: { type: "string", title: "Units", enum: ["metres", "feet"] },
  },
  ["city"],
);

testScreens(
  "incipit answer: shown, filled in by field, accepted and declined directly",
  { name: "answers-a-host", config: `${config}\n${askingServer}` },
  async ({ world, shell }) => {
    const host = await world.host();
    world.model.enqueue(...askingModel(places, places, places));
    const known = new Set<string | undefined>([undefined]);
    const asks = (): Promise<void> =>
      untilConversations(host, (body) => {
        const id = /"questionId":"([^"]+)"/.exec(body)?.[1];
        const isNew = !known.has(id);
        known.add(id);
        return isNew;
      });

    const begun = shell(['incipit run "When is high water?" --background --allow tides__echo']);
    await begun.sees(/^\$$/m);
    await asks();
    const lines = ["incipit answer -c < /dev/null", "incipit answer -c"];
    const asked = shell(lines, { rows: 60 });
    await asked.sees(/\[y\/n\]$/);
    await asked.enterUntil("y", /City:$/);
    await asked.enterUntil("Porto", /Days \[2\]:$/);
    await asked.enterUntil("nine", /nine[\s\S]*Days \[2\]:$/);
    await asked.typeUntil(keys.enter, /Units:$/);
    await asked.enterUntil("1", /Send it\?[^?]*\[y\/n\]$/);
    asked.enter("y");
    await asked.shows("Shown in a pipe, and asked at a terminal", { until: /^\$$/m });
    await asks();
    const told = shell([`incipit answer -c accept '{"city": 4}'`, `incipit answer -c accept '{"city": "Porto"}'`]);
    await told.shows("Values that do not fit, and those that do", { until: /^\$$/m });
    await asks();
    const declined = shell(["incipit answer -c decline", "incipit answer -c decline"]);
    await declined.shows("It is declined; then nothing waits", { until: /^\$$/m });
  },
);

const titles = [
  "Mend the parser of dates, which takes the thirty-first of April for the first of May",
  "東京の潮は何時ですか",
  "When?",
];

testScreens("incipit list: filtered, limited, and paged", { name: "list", config }, async ({ world, shell }) => {
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

  const sitting = shell(lines, { rows: 60 });
  await sitting.shows("What a shell shows of it", { until: /^\$$/m });
});

testScreens(
  "bulk actions: archived, shown and deleted conversations, with an unknown name",
  { name: "several", config },
  async ({ world, shell }) => {
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

    const sitting = shell(lines, { rows: 80 });
    await sitting.sees(/\[y\/N\]$/);
    sitting.enter("n");
    await sitting.shows("What a shell shows of it", { until: /^\$$/m });
  },
);
