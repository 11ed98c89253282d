import { testScreens } from "./recorded-screens.ts";

testScreens(
  "screen reader mode: an answer, an approval, lists and tables as lines",
  { name: "screen-reader", config: 'system_prompt = "You help."\ntools = { workspace = true }' },
  async ({ world, sit }) => {
    await world.write("tides.md", "one\ntwo\nthree\n");
    const input = JSON.stringify({ path: "tides.md", oldText: "two", newText: "four" });
    world.model.enqueue(
      { kind: "tool-calls", calls: [{ id: "1", name: "edit_file", arguments: input }] },
      { kind: "text", chunks: ["It is ", "**four** now:\n\n- one\n- four\n"] },
    );
    const sitting = sit({ rows: 40, args: ["--screen-reader"] });

    await sitting.shows("The beginning", { until: /ends\s+it\.\n>/ });
    sitting.enter("Count right");
    await sitting.shows("A call is asked about", { until: "Allow it", from: /^> Count/ });
    sitting.enter("y");
    await sitting.shows("The answer", { until: /- four\n+> *$/, from: /^> Count/ });
    sitting.enter("/model");
    await sitting.shows("/model", { until: "Number, or Enter", from: /^> \/model/ });
    await sitting.enterUntil("", /Number, or Enter.*\n> *$/);
    sitting.enter("/context");
    await sitting.shows("/context", { until: /Free[\s\S]*\n> *$/, from: /^> \/context/ });
    sitting.enter("/cost");
    await sitting.shows("/cost", { until: /Today[\s\S]*\n> *$/, from: /^> \/cost/ });
    sitting.enter("/modle");
    await sitting.shows("A command that nobody knows", { until: /did you mean[\s\S]*\n> *$/, from: /^> \/modle/ });
    sitting.enter("/quit");
    await sitting.exited;
    await sitting.shows("The end", { until: "Go on with", from: /^> \/quit/ });
  },
);
