import type { Storage, StorageWrite } from "@incipit/kernel";
import { indexDeletes, indexWrites } from "./filter-index.ts";
import { inputText, messageSchema, type Conversation, type UpdateConversationRequest } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { callTarget, findProfile } from "../call/call-target.ts";
import { usableFolder } from "../call/usable-folder.ts";
import { systemMessageWrites } from "../prompt/prompt-for-turn.ts";
import { assertEffort, findModel } from "../models/find-model.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { keys, type StoredConversation } from "../store/stored.ts";
import { titleOf } from "../conversation/title-of.ts";
import { profileRules, rulesWithin, type ProfileRules } from "./new-conversation.ts";

/**
 * @throws {ServiceError} `STORAGE_FAILED`, `CWD_INVALID`, `MODEL_UNKNOWN`, `PROFILE_UNKNOWN`, and errors of
 * `systemMessageWrites` and `assertEffort`; nothing has changed then.
 */
export async function updateConversation(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { title, archived, deleted, allowedTools, settings, ...request }: UpdateConversationRequest,
): Promise<Conversation> {
  const { storage, clock } = context;
  const { id } = conversation.record;
  const target = await newTarget(context, conversation.record, request);
  if (settings?.reasoningEffort !== undefined) {
    const found = findModel(context.providers, target.names.model ?? conversation.record.model);
    await assertEffort(context, found, settings);
  }
  const texts = await systemMessageWrites(context, id, request);
  return withServiceErrors(async () => {
    const given = title === null ? await ownTitle(storage, id) : title;
    const updatedAt = new Date(clock.now()).toISOString();
    let moves: readonly StorageWrite[] = [];
    await conversation.changeRecord(
      (record) => {
        const changed = {
          ...(target.rules === undefined ? record : withoutRules(record)),
          ...(given === undefined ? {} : { title: given }),
          ...(archived === undefined ? {} : { archived }),
          ...(deleted === true ? { deletedAt: updatedAt } : {}),
          ...(allowedTools === undefined ? {} : { allowedTools }),
          ...target.names,
          ...target.rules,
          ...(settings === undefined || settings === null ? {} : { settings }),
          updatedAt,
        };
        if (settings === null || Object.keys(changed.settings ?? {}).length === 0) delete changed.settings;
        if (deleted === false) delete changed.deletedAt;
        const isMoved = changed.archived !== record.archived || changed.model !== record.model;
        moves = isMoved ? [...indexDeletes(record), ...indexWrites(changed)] : [];
        return changed;
      },
      (write) => conversation.log.append([], [write, ...moves], texts),
    );
    return conversation.view;
  });
}

interface NewTarget {
  readonly names: Partial<Pick<StoredConversation, "cwd" | "model" | "profile">>;
  readonly rules?: ProfileRules;
}

async function newTarget(
  context: OrchestratorContext,
  record: StoredConversation,
  { cwd: folder, model, profile }: UpdateConversationRequest,
): Promise<NewTarget> {
  const cwd = folder === undefined ? record.cwd : await usableFolder(context, folder);
  const moved = folder === undefined ? {} : { cwd };
  if (folder !== undefined && profile === undefined) await assertProfileThere(context, record.profile, cwd);
  if (model === undefined && profile === undefined) return { names: moved };
  const agent = profile === undefined || profile === null ? undefined : await findProfile(context, profile, cwd);
  const named = model ?? (agent?.model === undefined ? record.model : undefined);
  const asked = profile === null || profile === undefined ? {} : { profile };
  const target = await callTarget(context, { cwd, model: named, ...asked });
  return {
    names: {
      ...moved,
      ...(model === undefined && agent?.model === undefined ? {} : { model: target.model }),
      ...(profile === undefined ? {} : { profile }),
    },
    ...(profile === undefined ? {} : { rules: newRules(record, profileRules(target.agent)) }),
  };
}

/** The profile may be a file of the old folder: keeping it would silently change the next prompt. */
async function assertProfileThere(
  context: OrchestratorContext,
  profile: string | null,
  cwd: string,
): Promise<void> {
  if (profile === null) return;
  try {
    await findProfile(context, profile, cwd);
  } catch (error) {
    if (!ServiceError.is(error) || error.code !== "PROFILE_UNKNOWN") throw error;
    const message = `Cannot work in "${cwd}" with the profile that the conversation has; name another one, or null, in the same request. ${error.message}`;
    throw new ServiceError(error.code, message, { cause: error, details: [{ field: '"profile"' }] });
  }
}

function withoutRules(record: StoredConversation): StoredConversation {
  const { askedTools: _, deniedTools: __, mcpServers: ___, skills: ____, settings: _____, ...others } = record;
  return others;
}

/** A task keeps the limits of its creation. */
function newRules(record: StoredConversation, rules: ProfileRules): ProfileRules {
  return record.parent === null ? rules : rulesWithin(record, rules);
}

async function ownTitle(storage: Storage, id: string): Promise<string | null> {
  const range = { prefix: keys.message(id, 0), onInvalid: () => {} };
  const [first] = await storage.list(range, messageSchema);
  const parts = first?.value.parts ?? [];
  return titleOf(inputText(parts.filter((part) => part.type === "text" || part.type === "file")));
}
