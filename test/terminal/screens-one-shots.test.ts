import { test } from "bun:test";
import { join } from "node:path";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { shellSession } from "./shell-session.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const config = `system_prompt = "You help."\ntools = { workspace = true }`;
const more = "[providers.local.models.other]\ncontext_window = 2_000\nprices = { input = 1, output = 2 }";
const read = { id: "1", name: "read_file", arguments: '{"path":"notes.md"}' };
const write = { id: "1", name: "write_file", arguments: '{"path":"new.md","content":"Tides"}' };

for (const columns of recordedWidths("screens-one-shots 1"))
  test.concurrent(`one shots: pipes, -, -c, -s, -m, -o, -q, --json and --schema, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config, more });
    await using screens = await RecordedScreens.of({ world, columns, name: "one-shots" });
    await Bun.write(join(world.work, "notes.md"), "High water is at nine.\n");
    await Bun.write(
      join(world.work, "count.json"),
      '{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"],"additionalProperties":false}',
    );
    for (const text of [
      "It is **four**, as two and two always were, also where the sea is high.",
      "High water is at nine.",
      "It is.",
      "The tests hold it.",
      "Then comes the ebb.",
      "The same for me.",
      "Written down.",
      '{"count":4}',
    ])
      world.model.enqueue({ kind: "text", chunks: text.split(/(?<= )/) });
    const sitting = shellSession(
      world,
      [
        'incipit "What is two and two?"',
        'incipit "Sum it up" < notes.md',
        'echo "Is it on the standard input?" | incipit -',
        'incipit -c "And the tests?"',
        'incipit -s "What is two" "And then?"',
        'incipit -s "What is two" -m local/other "And for you?"',
        'incipit -q -o answer.md "Write it down" && cat answer.md',
        'incipit --schema count.json "How many?"',
        `incipit --json "Hello there" | grep -o '"type":"[a-z-]*"' | uniq`,
      ],
      { columns, rows: 100 },
    );

    await screens.shows(sitting, "What a shell shows of it", { until: /^\$$/m });
  }, 120_000);

for (const columns of recordedWidths("screens-one-shots 2"))
  test.concurrent(`exit codes: failed, denied, over budget, invalid JSON, timeout, interrupted, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config, more });
    await using screens = await RecordedScreens.of({ world, columns, name: "exit-codes" });
    await Bun.write(join(world.work, "notes.md"), "High water is at nine.\n");
    await Bun.write(join(world.work, "count.json"), '{"type":"object","required":["count"]}');
    world.model.enqueue(
      { kind: "error", status: 400, body: '{"error":{"message":"This model is closed for today"}}' },
      { kind: "tool-calls", calls: [write] },
      { kind: "text", chunks: ["I may not."] },
      { kind: "tool-calls", calls: [read] },
      { kind: "tool-calls", calls: [read] },
    );
    world.model.answer = (body) =>
      body.includes("How many?") ? { kind: "text", chunks: ["Four"] } : { kind: "never" };
    const sitting = shellSession(
      world,
      [
        'incipit -q "Hello there"',
        'incipit -q "Write it" < /dev/null',
        'incipit -q --max-steps 1 --allow read_file "Read it"',
        'incipit -q --max-cost 0.0001 --allow read_file "Read it"',
        'incipit -q --schema count.json "How many?"',
        'incipit -q --timeout 1s "Take your time"',
        'incipit -q "Take more time"',
      ],
      { columns, rows: 60 },
    );

    await world.model.waitFor(({ requests }) => requests.at(-1)?.body.includes("Take more time") === true);
    sitting.type(keys.ctrl("c"));
    await screens.shows(sitting, "What a shell shows of it", { until: /more time[\s\S]*exit code/ });
  }, 120_000);

for (const columns of recordedWidths("screens-one-shots 3"))
  test.concurrent(`a terminal question: a mistyped command and a tool call are confirmed, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config, more });
    await using screens = await RecordedScreens.of({ world, columns, name: "asked" });
    world.model.enqueue({ kind: "tool-calls", calls: [write] }, { kind: "text", chunks: ["It is written."] });
    const mistyped = shellSession(world, ["incipit modles", "incipit weather"], { columns });
    await screens.shows(mistyped, "A mistyped command", { until: /\[y\/N\]$/ });
    mistyped.enter("n");
    await screens.shows(mistyped, "It was not a question", { until: /^\$$/m });
    const asking = shellSession(world, ['incipit "Write it"'], { columns });
    await screens.shows(asking, "A call of a tool", { until: "Allow it" });
    asking.enter("y");
    await screens.shows(asking, "It was allowed", { until: /^\$$/m });
  }, 120_000);
