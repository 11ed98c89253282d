import { testScreens } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";

const config = `system_prompt = "You help."
tools = { workspace = true }
[providers.local.models.other]
context_window = 2_000
prices = { input = 1, output = 2 }`;
const read = { id: "1", name: "read_file", arguments: '{"path":"notes.md"}' };
const write = { id: "1", name: "write_file", arguments: '{"path":"new.md","content":"Tides"}' };

testScreens(
  "one shots: pipes, -, -c, -s, -m, -o, -q, --json and --schema",
  { name: "one-shots", config },
  async ({ world, shell }) => {
    await world.write("notes.md", "High water is at nine.\n");
    await world.write(
      "count.json",
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
    const sitting = shell(
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
      { rows: 100 },
    );

    await sitting.shows("What a shell shows of it", { until: /^\$$/m });
  },
);

testScreens(
  "exit codes: failed, denied, over budget, invalid JSON, timeout, interrupted",
  { name: "exit-codes", config },
  async ({ world, shell }) => {
    await world.write("notes.md", "High water is at nine.\n");
    await world.write("count.json", '{"type":"object","required":["count"]}');
    world.model.enqueue(
      { kind: "error", status: 400, body: '{"error":{"message":"This model is closed for today"}}' },
      { kind: "tool-calls", calls: [write] },
      { kind: "text", chunks: ["I may not."] },
      { kind: "tool-calls", calls: [read] },
      { kind: "tool-calls", calls: [read] },
    );
    world.model.answer = (body) =>
      body.includes("How many?") ? { kind: "text", chunks: ["Four"] } : { kind: "never" };
    const sitting = shell(
      [
        'incipit -q "Hello there"',
        'incipit -q "Write it" < /dev/null',
        'incipit -q --max-steps 1 --allow read_file "Read it"',
        'incipit -q --max-cost 0.0001 --allow read_file "Read it"',
        'incipit -q --schema count.json "How many?"',
        'incipit -q --timeout 1s "Take your time"',
        'incipit -q "Take more time"',
      ],
      { rows: 60 },
    );

    await world.model.waitFor(({ requests }) => requests.at(-1)?.body.includes("Take more time") === true);
    sitting.type(keys.ctrl("c"));
    await sitting.shows("What a shell shows of it", { until: /more time[\s\S]*exit code/ });
  },
);

testScreens(
  "a terminal question: a mistyped command and a tool call are confirmed",
  { name: "asked", config },
  async ({ world, shell }) => {
    world.model.enqueueCall("write_file", { path: "new.md", content: "Tides" });
    world.model.enqueueText("It is written.");
    const mistyped = shell(["incipit modles", "incipit weather"]);
    await mistyped.shows("A mistyped command", { until: /\[y\/N\]$/ });
    mistyped.enter("n");
    await mistyped.shows("It was not a question", { until: /^\$$/m });
    const asking = shell(['incipit "Write it"']);
    await asking.shows("A call of a tool", { until: "Allow it" });
    asking.enter("y");
    await asking.shows("It was allowed", { until: /^\$$/m });
  },
);
