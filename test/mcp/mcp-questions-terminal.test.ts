import { expect, test } from "bun:test";
import { askingModel, askingServer, formOf } from "../support/asking-server.ts";
import { atTerminal } from "../support/at-terminal.ts";
import { HostWorld } from "../support/host-world.ts";

const places = formOf(
  "Where are the tides wanted?",
  {
    city: { type: "string", title: "City", description: "By the sea" },
    days: { type: "integer", title: "Days", minimum: 1, maximum: 7, default: 2 },
    units: {
      type: "string",
      title: "Units",
      oneOf: [
        { const: "m", title: "Metres" },
        { const: "ft", title: "Feet" },
      ],
    },
    marks: { type: "array", title: "Marks", items: { type: "string", enum: ["high", "low", "slack"] } },
    mail: { type: "boolean", title: "Mail it" },
  },
  ["city"],
);

function told({ model }: HostWorld): string {
  return model.requests.at(-1)?.body ?? "";
}

test("incipit shows an MCP form field by field and confirms before sending", async () => {
  await using world = await HostWorld.create({ config: askingServer });
  world.model.enqueue(...askingModel(places));

  const { screen, exitCode } = await atTerminal({
    ...world.sitting("Hello there"),
    answers: [
      ["[y/n] ", "y\r"],
      ["City: ", "\r"],
      ["City: ", "São Paulo\r"],
      ["Days [2]: ", "nine\r"],
      ["Days [2]: ", "9\r"],
      ["Days [2]: ", "\r"],
      ["Units: ", "2\r"],
      ["Marks: ", "1, slack\r"],
      ["Mail it: ", "n\r"],
      ["Send it? y: yes. n: decline. [y/n] ", "y\r"],
    ],
  });

  expect(exitCode).toBe(0);
  expect(screen).toContain('MCP server "tides" asks you:\r\n│ Where are the tides wanted?\r\n');
  for (const problem of ["That is required", "That must be a number", "That must be at most 7"])
    expect(screen).toContain(problem);
  expect(screen).toContain("1 of 5: City (required)\r\n│ By the sea\r\n");
  expect(screen).toContain("│   1  Metres\r\n│   2  Feet\r\n");
  expect(screen).toContain(
    "│ City: São Paulo\r\n│ Days: 2\r\n│ Units: Feet\r\n│ Marks: high, slack\r\n│ Mail it: n\r\n",
  );
  const sent = { city: "São Paulo", days: 2, units: "ft", marks: ["high", "slack"], mail: false };
  expect(told(world)).toContain(JSON.stringify(JSON.stringify({ action: "accept", content: sent })).slice(1, -1));
}, 300_000);

test("n at the start or end of a form declines it, and Ctrl-D cancels it", async () => {
  await using world = await HostWorld.create({ config: askingServer });
  const form = formOf("Your city?", { city: { type: "string" } });
  world.model.enqueue(...askingModel(form, form, form, formOf("Go on?", {})));

  await atTerminal({
    ...world.sitting("Hello there"),
    answers: [
      ["[y/n] ", "n\r"],
      ["[y/n] ", "y\r"],
      ["city: ", "Porto\r"],
      ["[y/n] ", "n\r"],
      ["[y/n] ", "y\r"],
      ["city: ", "\u0004"],
      ["[y/n] ", "\r"],
      ["[y/n] ", "y\r"],
    ],
  });

  const actions = told(world)
    .matchAll(/\\\\?"action\\\\?":\\\\?"(\w+)/g)
    .map(([, action]) => action);
  expect([...actions]).toEqual(["decline", "decline", "cancel", "accept"]);
}, 300_000);

test("without a terminal a question is cancelled immediately, with a hint for background tasks", async () => {
  await using world = await HostWorld.create({ config: askingServer });
  world.model.enqueue(...askingModel(places));

  const { stderr, exitCode } = await world.run("Hello there");

  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/"tides" asks something, and there is no terminal to ask at: cancelled\..*incipit answer/);
  expect(told(world)).toContain("no user is there to answer it");
});

test("incipit answer shows open questions and answers them from another terminal or a script", async () => {
  await using world = await HostWorld.create({ config: askingServer });
  const host = await world.start();
  const { id } = await host.createConversation();
  const ask = async (): Promise<void> => {
    world.model.enqueue(...askingModel(places));
    await host.json(`/conversations/${id}/turns`, {
      body: { input: "Hello" },
      headers: { prefer: "respond-async" },
    });
    while ((await host.conversation(id)).questions.length === 0) await host.json("/health");
  };
  const idle = async (): Promise<void> => {
    while ((await host.conversation(id)).status !== "idle") await host.json("/health");
  };

  await ask();
  const shown = await world.run("answer", id);
  const unknown = await world.run("answer", id, "acept", "{}");
  const unfit = await world.run("answer", id, "accept", '{"days": 9}');
  const broken = await world.run("answer", id, "accept", "{");
  const answered = await world.run("answer", id, "accept", '{"city": "Porto"}');
  await idle();
  await ask();
  const { screen } = await atTerminal({
    ...world.sitting("answer", id),
    answers: [
      ["[y/n] ", "y\r"],
      ["City: ", "Faro\r"],
      ["Days [2]: ", "\r"],
      ["Units: ", "\r"],
      ["Marks: ", "\r"],
      ["Mail it: ", "\r"],
      ["[y/n] ", "y\r"],
    ],
  });
  await idle();
  await ask();
  const declined = await world.run("answer", "-c", "decline");
  await idle();
  const none = await world.run("answer", id);

  expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("│ Where are the tides wanted?\n") });
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('did you mean "accept"') });
  expect(unfit).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('"city" is required; "days" must be at most 7'),
  });
  expect(broken).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("not a JSON object") });
  expect(answered).toMatchObject({ exitCode: 0, stdout: 'Answered "tides"\n' });
  expect(screen).toContain('Answered "tides"');
  expect(declined).toMatchObject({ exitCode: 0, stdout: 'Declined "tides"\n' });
  expect(none.stderr).toContain("No open question");
  expect(told(world)).toContain("Faro");
}, 300_000);

test("a chat shows a form between messages and accepts pasted text as one answer", async () => {
  await using world = await HostWorld.create({ config: askingServer });
  world.model.enqueue(...askingModel(formOf("Your city?", { city: { type: "string" } })));

  const { screen } = await atTerminal({
    ...world.sitting("chat", "--screen-reader"),
    term: "xterm",
    answers: [
      ["> ", "Hello there\r"],
      ["[y/n] ", "y\r"],
      ["city: ", "\u001B[200~São Paulo\u001B[201~\r"],
      ["[y/n] ", "y\r"],
      ["Done.", "\u0004"],
    ],
  });

  expect(screen).toContain("│ city: São Paulo");
  expect(told(world)).toContain("São Paulo");
  expect(world.model.requests).toHaveLength(2);
}, 300_000);
