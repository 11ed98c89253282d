import {
  accessTokenSchema,
  approvalSchema,
  questionFieldSchema,
  questionSchema,
  auditedStepSchema,
  auditSummarySchema,
  channelMessageSchema,
  channelPersonSchema,
  changedFileSchema,
  channelSchema,
  commandCallSchema,
  commandSchema,
  conversationSchema,
  explainSchema,
  failureSchema,
  leftOutFileSchema,
  messagePartSchema,
  messageSchema,
  modelCallSchema,
  modelFactsSchema,
  modelPricesSchema,
  nextActionSchema,
  profileProblemSchema,
  profileSourceSchema,
  promptConstructionSchema,
  promptDriftSchema,
  queuedTurnSchema,
  replaySchema,
  heartbeatSchema,
  heartbeatWakeSchema,
  scheduleRunSchema,
  scheduleSchema,
  searchResultSchema,
  skillSchema,
  stepPrefixSchema,
  stepRecordSchema,
  stepRequestResponseSchema,
  stepSchema,
  systemPromptVariableSchema,
  templateInForceSchema,
  templateVersionSchema,
  turnBodySchema,
  turnEventSchema,
  usageSchema,
} from "@incipit/schema";
import {
  anthropicReplySchema,
  anthropicStreamEventSchema,
  capabilitiesSchema,
  chatCompletionChunkSchema,
  chatCompletionSchema,
  clientConversationSchema,
  clientItemListSchema,
  clientItemSchema,
  extensionSchema,
  modelSchema,
  profileSchema,
  responseSchema,
  responseStreamEventSchema,
  swapReportSchema,
  writtenProfileResponseSchema,
  writtenProfileSchema,
} from "@incipit/transport-contract";
import * as z from "zod";
import { toJsonSchema, type JsonObject } from "./json-schema.ts";

/** Schemas with a name in the document, for which generators create one type. */
const named = {
  AccessToken: accessTokenSchema,
  AnthropicMessage: anthropicReplySchema,
  AnthropicStreamEvent: anthropicStreamEventSchema,
  Approval: approvalSchema,
  Question: questionSchema,
  QuestionField: questionFieldSchema,
  AuditedStep: auditedStepSchema,
  AuditSummary: auditSummarySchema,
  Capabilities: capabilitiesSchema,
  ChangedFile: changedFileSchema,
  Channel: channelSchema,
  ChannelMessage: channelMessageSchema,
  ChannelPerson: channelPersonSchema,
  ChatCompletion: chatCompletionSchema,
  ChatCompletionChunk: chatCompletionChunkSchema,
  ClientConversation: clientConversationSchema,
  ClientItem: clientItemSchema,
  ClientItemList: clientItemListSchema,
  Command: commandSchema,
  CommandCall: commandCallSchema,
  Conversation: conversationSchema,
  CreateTurnRequest: turnBodySchema,
  Explain: explainSchema,
  Extension: extensionSchema,
  Failure: failureSchema,
  LeftOutFile: leftOutFileSchema,
  Message: messageSchema,
  Model: modelSchema,
  ModelCall: modelCallSchema,
  ModelFacts: modelFactsSchema,
  ModelPrices: modelPricesSchema,
  NextAction: nextActionSchema,
  Profile: profileSchema,
  ProfileProblem: profileProblemSchema,
  ProfileSource: profileSourceSchema,
  ProfileText: writtenProfileResponseSchema,
  WrittenProfile: writtenProfileSchema,
  PromptConstruction: promptConstructionSchema,
  PromptDrift: promptDriftSchema,
  QueuedTurn: queuedTurnSchema,
  Replay: replaySchema,
  Heartbeat: heartbeatSchema,
  HeartbeatWake: heartbeatWakeSchema,
  Response: responseSchema,
  ResponseStreamEvent: responseStreamEventSchema,
  Schedule: scheduleSchema,
  ScheduleRun: scheduleRunSchema,
  SearchResult: searchResultSchema,
  Skill: skillSchema,
  Step: stepSchema,
  StepPrefix: stepPrefixSchema,
  StepRecord: stepRecordSchema,
  StepRequest: stepRequestResponseSchema,
  SwapReport: swapReportSchema,
  SystemPromptVariable: systemPromptVariableSchema,
  TemplateInForce: templateInForceSchema,
  TemplateVersion: templateVersionSchema,
  Usage: usageSchema,
} as const satisfies Record<string, z.ZodType>;

/** Discriminated unions: each member is named after its `type` and this word. */
const namedUnions = {
  TurnEvent: { schema: turnEventSchema, word: "Event" },
  MessagePart: { schema: messagePartSchema, word: "Part" },
} as const;

const memberSchema = z.looseObject({
  properties: z.looseObject({ type: z.object({ const: z.string() }).loose() }),
});
const unionSchema = z.object({ oneOf: z.array(memberSchema) });

/** Named schemas, and references to them. */
export class ComponentSchemas {
  readonly #whole = new Map<string, JsonObject>();
  readonly #nameByText = new Map<string, string>();

  constructor() {
    for (const [name, schema] of Object.entries(named)) this.#name(name, toJsonSchema(schema));
    for (const [name, { schema, word }] of Object.entries(namedUnions)) {
      const whole = toJsonSchema(schema);
      const mapping = unionSchema.parse(whole).oneOf.map((member) => {
        const type = member.properties.type.const;
        this.#name(`${inPascalCase(type)}${word}`, member);
        return [type, referenceTo(`${inPascalCase(type)}${word}`).$ref] as const;
      });
      this.#name(name, whole);
      this.#whole.set(name, {
        oneOf: mapping.map(([, $ref]) => ({ $ref })),
        discriminator: { propertyName: "type", mapping: Object.fromEntries(mapping) },
      });
    }
  }

  /** Replaces equal schemas by references, at any depth. */
  shared(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const name = this.#nameByText.get(JSON.stringify(value));
    return name === undefined ? this.#withSharedParts(value) : referenceTo(name);
  }

  /** `components.schemas` of the document. */
  all(): JsonObject {
    const entries = [...this.#whole].map(([name, schema]) => [name, this.#withSharedParts(schema)] as const);
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Replaces nested schemas, and keeps those at the top level. */
  sharedIn(schemas: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.shared(schema)]));
  }

  #name(name: string, schema: JsonObject): void {
    this.#whole.set(name, schema);
    this.#nameByText.set(JSON.stringify(schema), name);
  }

  #withSharedParts(value: object): unknown {
    if (Array.isArray(value)) return value.map((item) => this.shared(item));
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.shared(part)]));
  }
}

export function referenceTo(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function inPascalCase(type: string): string {
  return type.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
