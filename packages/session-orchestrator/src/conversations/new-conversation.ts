import type { ConversationId, CreateConversationRequest } from "@incipit/schema";
import { callTarget } from "../call/call-target.ts";
import { usableFolder } from "../call/usable-folder.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { assertEffort } from "../models/find-model.ts";
import { type StoredConversation, keys } from "../store/stored.ts";
import { type Profile, ServiceError, type CreateOptions, type ParentCall } from "@incipit/service-contract";
import type { StorageWrite } from "@incipit/kernel";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { conversationUnknown } from "../failures/service-errors.ts";
import { indexWrites } from "./filter-index.ts";

interface NewConversation extends CreateConversationRequest {
  readonly id: ConversationId;
  readonly parent?: StoredConversation["parent"];
  readonly callerRules?: ProfileRules;
}

/**
 * Takes a snapshot of the profile's tools and settings.
 *
 * @throws {ServiceError} `PROFILE_UNKNOWN`, `CWD_INVALID`, `MODEL_UNKNOWN`, and errors of `assertEffort`.
 */
export async function newConversation(
  context: OrchestratorContext,
  { id, parent = null, callerRules = {}, ...request }: NewConversation,
): Promise<StoredConversation> {
  const { cwd, model, profile, agent, found } = await callTarget(context, request);
  await usableFolder(context, cwd);
  await assertEffort(context, found, request.settings);
  const { allowed = null } = agent?.tools ?? {};
  const createdAt = new Date(context.clock.now()).toISOString();
  return {
    id,
    cwd,
    model,
    profile,
    title: request.title ?? null,
    forkedFrom: null,
    parent,
    importedAt: null,
    // Tasks are shown in the delegating conversation instead.
    archived: parent !== null,
    allowedTools: request.allowedTools ?? (allowed === null ? null : [...allowed]),
    ...rulesWithin(callerRules, profileRules(agent)),
    ...(request.settings === undefined ? {} : { settings: request.settings }),
    epoch: 1,
    createdAt,
    updatedAt: createdAt,
    lastSeq: 0,
    toolsSha256: null,
  };
}

export type ProfileRules = Pick<
  StoredConversation,
  "askedTools" | "deniedTools" | "mcpServers" | "skills" | "settings"
>;

export function profileRules(profile: Profile | undefined): ProfileRules {
  const { asked = [], denied = [] } = profile?.tools ?? {};
  const { settings = {}, mcpServers, skills } = profile ?? {};
  return {
    ...(asked.length === 0 ? {} : { askedTools: [...asked] }),
    ...(denied.length === 0 ? {} : { deniedTools: [...denied] }),
    ...(mcpServers === undefined ? {} : { mcpServers: [...mcpServers] }),
    ...(skills === undefined ? {} : { skills: [...skills] }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}

/** A task's rules never exceed those of its caller. */
export function rulesWithin(caller: ProfileRules, own: ProfileRules): ProfileRules {
  const askedTools = union(caller.askedTools, own.askedTools);
  const deniedTools = union(caller.deniedTools, own.deniedTools);
  const mcpServers = both(caller.mcpServers, own.mcpServers);
  const skills = both(caller.skills, own.skills);
  return {
    ...own,
    ...(askedTools.length === 0 ? {} : { askedTools }),
    ...(deniedTools.length === 0 ? {} : { deniedTools }),
    ...(mcpServers === undefined ? {} : { mcpServers }),
    ...(skills === undefined ? {} : { skills }),
  };
}

function union(one: readonly string[] = [], other: readonly string[] = []): string[] {
  return [...new Set([...one, ...other])];
}

function both(one: string[] | undefined, other: string[] | undefined): string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((name) => other.includes(name));
}

/**
 * Stores the conversation and the caller's `task-start` event in one commit.
 *
 * @throws {ServiceError} as `newConversation`; `CONVERSATION_BUSY` when the call or its turn has ended.
 */
export async function newTask(
  context: OrchestratorContext,
  caller: LoadedConversation,
  {
    parent,
    request,
    join,
    signal,
  }: {
    readonly parent: ParentCall;
    readonly request: CreateConversationRequest & { readonly id: ConversationId };
    readonly join: CreateOptions["join"];
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  const { turnId, toolCallId } = parent;
  const { id: conversationId, parent: grandparent } = caller.record;
  const depth = (grandparent?.depth ?? 0) + 1;
  const record = await newConversation(context, {
    ...request,
    parent: { conversationId, turnId, toolCallId, depth },
    callerRules: caller.record,
  });
  if (caller.work.isClosed) throw conversationUnknown(conversationId);
  // No event of a turn may follow its end.
  if (caller.work.turnId !== turnId || signal?.aborted === true) {
    const message = `Cannot begin a task in turn "${turnId}" of conversation "${conversationId}": it has ended, or is being stopped`;
    throw new ServiceError("CONVERSATION_BUSY", message);
  }
  const writes: readonly StorageWrite[] = [
    { kind: "set", key: keys.conversation(record.id), value: record },
    ...indexWrites(record),
    { kind: "set", key: keys.task(conversationId, record.id), value: {} },
  ];
  const event = { type: "task-start", turnId, toolCallId, conversationId: record.id } as const;
  await caller.log.append([event], writes, join === undefined ? [] : [join(record.id)]);
}
