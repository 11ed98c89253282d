import { clippedLine } from "@incipit/schema/text";
import { routes, type Profile } from "@incipit/transport-contract";
import type { Choice, CommandContext, TerminalCommand } from "./command.ts";

/** Cannot be the name of an agent, because of the space. */
const none = " none";

export const profile: TerminalCommand = {
  name: "profile",
  summary: "switches the agent, or removes it",
  argument: "[NAME]",
  complete: async (context) => (await profilesOf(context)).map(choiceOf),
  async run(context, argument) {
    const { session, choose, tell } = context;
    const before = session.profile;
    const chosen = argument === "" ? await chosenOf(context, choose) : argument;
    if (chosen === undefined || chosen === (before ?? none)) return;
    await session.setProfile(chosen === none ? undefined : chosen);
    const name = chosen === none ? "No agent" : clippedLine(chosen, { maxCharacters: 64 });
    tell(
      session.conversation === undefined
        ? `Agent: ${name}`
        : `Agent: ${name}; /rebuild applies its prompt and tools`,
      "good",
    );
    await session.lookForDrift();
  },
};

async function profilesOf({ session }: Pick<CommandContext, "session">): Promise<readonly Profile[]> {
  const { cwd } = session;
  return (await session.client.call(routes.listProfiles, { query: { cwd } })).profiles;
}

async function chosenOf(
  context: Pick<CommandContext, "session">,
  choose: CommandContext["choose"],
): Promise<string | undefined> {
  const profiles = await profilesOf(context);
  const before = context.session.profile;
  const withoutOne = {
    value: none,
    label: "no agent",
    description: "the configuration's prompt and tools",
  };
  return choose("Which agent?", profiles.length === 0 ? [] : [withoutOne, ...profiles.map(choiceOf)], {
    current: before ?? none,
    empty: "No agents; incipit agents new NAME creates one",
    preview: (value) => previewOf(profiles.find(({ name }) => name === value)),
  });
}

function choiceOf({ name, description, problem }: Profile): Choice {
  const said = problem ?? description;
  return { value: name, label: name, ...(said === null ? {} : { description: said }) };
}

function previewOf(found: Profile | undefined): readonly string[] {
  if (found === undefined) return ["The configuration's prompt and tools, without an agent."];
  const { description, model, hasSystemPrompt, problem, source, warnings } = found;
  return [
    ...(problem === null ? [] : [`Its model cannot be used: ${problem}`]),
    description ?? "It has no description.",
    `Model: ${model ?? "unchanged"}`,
    `System prompt: ${hasSystemPrompt ? "its own" : "from the configuration"}`,
    `From: ${source.path ?? "the configuration"}${source.line === null ? "" : `, line ${source.line}`}`,
    ...warnings,
  ].map((line) => clippedLine(line, { maxCharacters: 400 }));
}
