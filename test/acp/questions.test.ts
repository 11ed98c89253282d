import { expect, test } from "bun:test";
import { askingModel, askingServer, formOf } from "../support/asking-server.ts";
import { createAcpWorld, messagesOf, type AcpWorld } from "./acp-world.ts";

const city = formOf("Which city?", { city: { type: "string", title: "City", maxLength: 9 } }, ["city"]);
const units = formOf("Which units?", {
  units: {
    type: "string",
    title: "Units",
    oneOf: [
      { const: "m", title: "Metres" },
      { const: "ft", title: "Feet" },
    ],
  },
});
const withForms = { elicitation: { form: {} } };

function told({ model }: AcpWorld): string | undefined {
  return messagesOf(model.requests.at(-1)?.body).findLast(({ role }) => role === "tool")?.text;
}

test("an editor with forms shows an MCP elicitation as a form and returns valid values", async () => {
  await using world = await createAcpWorld(askingServer);
  const editor = await world.editor({ capabilities: withForms });
  const session = await editor.newSession(world.cwd);
  world.model.enqueue(...askingModel(city, city, city));
  const answers = [
    { action: "accept", content: { city: "Porto" } },
    { action: "decline" },
    { action: "accept", content: { city: "Porto by the sea" } }, // The editor has closed the form: the question is cancelled.
  ];
  editor.answerForm = async () => answers[editor.forms.length - 1] ?? { action: "cancel" };

  await editor.prompt(session, "Hello");

  expect(editor.forms).toHaveLength(3);
  expect(editor.forms[0]).toMatchObject({
    mode: "form",
    sessionId: session,
    toolCallId: "call-1",
    message: 'MCP server "tides" asks: Which city?',
    requestedSchema: {
      type: "object",
      properties: { city: { type: "string", title: "City", maxLength: 9 } },
      required: ["city"],
    },
  });
  expect(told(world)).toBe(
    '[{"action":"accept","content":{"city":"Porto"}},{"action":"decline"},{"action":"cancel"}]',
  );
  expect(editor.asked).toEqual([]);
});

test("an editor without forms gets buttons for a single choice, otherwise a declined notice", async () => {
  await using world = await createAcpWorld(askingServer);
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  const agreed = formOf("Go on?", {});
  const yes = formOf("Mail it?", { mail: { type: "boolean" } });
  world.model.enqueue(...askingModel(units, agreed, yes, units, city));
  const chosen = ["1", "0", "1", "decline"];
  editor.answer = async () => ({
    outcome: { outcome: "selected", optionId: chosen[editor.asked.length - 1] ?? "" },
  });

  await editor.prompt(session, "Hello");

  expect(editor.asked.map(({ options }) => options.map(({ name }) => name).join(" "))).toEqual([
    "Metres Feet Decline",
    "Yes Decline",
    "Yes No Decline",
    "Metres Feet Decline",
  ]);
  expect(JSON.stringify(editor.asked[0])).toContain(String.raw`MCP server \"tides\" asks: Which units?`);
  expect(JSON.parse(told(world) ?? "[]")).toEqual([
    { action: "accept", content: { units: "ft" } },
    { action: "accept", content: {} },
    { action: "accept", content: { mail: false } },
    { action: "decline" },
    { action: "decline" },
  ]);
  const notices = editor
    .updates(session)
    .filter((update) => JSON.stringify(update).includes("cannot show its form"));
  expect(JSON.stringify(notices)).toContain("Which city?");
});

test("a question answered elsewhere is withdrawn from the editor", async () => {
  await using world = await createAcpWorld(askingServer);
  const host = await world.host();
  const editor = await world.editor({ capabilities: withForms });
  const session = await editor.newSession(world.cwd);
  world.model.enqueue(...askingModel(city));
  const turn = editor.prompt(session, "Hello");
  await editor.waitFor(({ forms }) => forms.length === 1);

  const [question] = (await host.conversation(session)).questions;
  await host.json(`/conversations/${session}/questions/${question?.questionId}`, {
    body: { action: "accept", content: { city: "Faro" } },
  });

  expect((await turn).stopReason).toBe("end_turn");
  expect(told(world)).toBe('[{"action":"accept","content":{"city":"Faro"}}]');
});
