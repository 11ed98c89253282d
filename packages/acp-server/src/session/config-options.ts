import { RequestError, type SessionConfigOption } from "@agentclientprotocol/sdk/unstable";
import {
  turnSettingsSchema,
  type Conversation,
  type TurnSettings,
  type UpdateConversationRequest,
} from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

/** The terminal and the page list all. */
const maxModels = 500;
/** Option value for "no agent"; it cannot be the name of one. */
const noProfile = "-";
/** Default of the agent or provider. */
const noEffort = "default";
const efforts = turnSettingsSchema.shape.reasoningEffort.unwrap().options;

export async function configOptions(
  client: Client,
  { model, profile, cwd, settings }: Pick<Conversation, "model" | "profile" | "cwd" | "settings">,
): Promise<SessionConfigOption[]> {
  const [{ models }, { profiles }] = await Promise.all([
    client.call(routes.listModels),
    client.call(routes.listProfiles, { query: { cwd } }),
  ]);
  const ready = models.filter(({ isReady, id }) => isReady && id !== model).slice(0, maxModels);
  const names = new Set([...profiles.map(({ name }) => name), ...(profile === null ? [] : [profile])]);
  return [
    {
      type: "select",
      id: "model",
      name: "Model",
      description: "Which model answers from the next message on",
      category: "model",
      currentValue: model,
      options: [model, ...ready.map(({ id }) => id)].map((id) => ({ value: id, name: id })),
    },
    ...(names.size === 0
      ? []
      : [
          {
            type: "select" as const,
            id: "profile",
            name: "Agent",
            description:
              "Sets prompt and tools; a started conversation keeps its prompt until compaction or a rebuild",
            currentValue: profile ?? noProfile,
            options: [
              { value: noProfile, name: "None" },
              ...[...names].map((name) => {
                const description = profiles.find((one) => one.name === name)?.description ?? null;
                return { value: name, name, ...(description === null ? {} : { description }) };
              }),
            ],
          },
        ]),
    {
      type: "select",
      id: "effort",
      name: "Effort",
      description: "How much the model reasons, from the next call on; models that cannot choose leave it out",
      category: "thought_level",
      currentValue: settings?.reasoningEffort ?? noEffort,
      options: [
        { value: noEffort, name: "As the model has it" },
        ...efforts.map((effort) => ({ value: effort, name: effort })),
      ],
    },
  ];
}

/** @throws {RequestError} for an invalid option or value. */
export async function chooseOption(
  client: Client,
  { id }: Pick<Conversation, "id">,
  { configId, value }: { readonly configId: string; readonly value: string | boolean },
): Promise<Conversation> {
  if (typeof value !== "string")
    throw RequestError.invalidParams({ configId, value }, "the value must be a listed one");
  const params = { id };
  const body = await changeOf(configId, value, async () => {
    const { conversation } = await client.call(routes.getConversation, { params });
    return conversation.settings ?? {};
  });
  return (await client.call(routes.updateConversation, { params, body })).conversation;
}

async function changeOf(
  configId: string,
  value: string,
  settingsNow: () => Promise<TurnSettings>,
): Promise<UpdateConversationRequest> {
  switch (configId) {
    case "model":
      return { model: value };
    case "profile":
      return { profile: value === noProfile ? null : value };
    case "effort": {
      const { reasoningEffort: _, ...others } = await settingsNow();
      if (value === noEffort) return { settings: others };
      const reasoningEffort = efforts.find((effort) => effort === value);
      if (reasoningEffort !== undefined) return { settings: { ...others, reasoningEffort } };
      const known = [noEffort, ...efforts].map((effort) => `"${effort}"`).join(", ");
      throw RequestError.invalidParams({ configId, value }, `unknown effort "${value}"; known: ${known}`);
    }
    default:
      throw RequestError.invalidParams(
        { configId },
        `unknown option "${configId}"; known: "model", "profile" and "effort"`,
      );
  }
}
