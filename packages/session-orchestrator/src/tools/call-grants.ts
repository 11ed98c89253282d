import {
  readGrant,
  type ApprovalScope,
  type Requester,
  type Grant,
  isSameAsker,
  approvalIdSchema,
  type AllowedCalls,
  type ApprovalId,
} from "@incipit/schema";
import type { Clock, Storage } from "@incipit/kernel";
import { type Tool, ServiceError, type FolderGrants } from "@incipit/service-contract";
import { settle } from "../waits/settle.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { grantsAllowedSchema, keys, toolAllowedSchema } from "../store/stored.ts";
import * as z from "zod";

const timeoutMs = 10_000;
/** In UTF-16 units. Users would not read a longer text before they answer. */
const maxScopeLength = 16_384;
const patternsSchema = z.array(z.string());
const toolScopesSchema = z
  .array(
    z.object({
      id: z.string().min(1),
      label: z.string().max(200),
      covers: z.string().max(maxScopeLength),
      patterns: patternsSchema.min(1),
    }),
  )
  .max(8);

export interface GivenGrant {
  readonly grant: string;
  /** Origin of the grant, as displayed in "allowed by GRANT of ORIGIN", such as `the turn`. */
  readonly of: string;
}

export interface Allowance {
  readonly by: string;
  readonly patterns?: readonly string[];
}

export interface CallGrants {
  /**
   * Returns the grants that allow the call: of the configuration, the turn, or `kept`, the conversation's. Never
   * rejects.
   */
  allowedBy(kept: readonly GivenGrant[]): Promise<Allowance | undefined>;
  /** Returns what "always" may cover for this call, narrower than the whole tool. Never rejects. */
  scopes(): Promise<readonly ApprovalScope[]>;
}

interface CallGrantsOptions {
  /** Grants of the configuration and of the turn, which do not record the owner of their tool. */
  readonly given: readonly GivenGrant[];
  readonly owner: Requester;
  readonly conversationId: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export function callGrants(tool: Tool, input: object, options: CallGrantsOptions): CallGrants {
  const { given, owner, conversationId, cwd, clock, signal } = options;
  /** Returns nothing if the tool fails or its answer is invalid, so that a failure grants nothing. */
  const ask = async <Answer>(
    asked: () => Promise<unknown>,
    schema: z.ZodType<Answer[]>,
  ): Promise<readonly Answer[]> => {
    try {
      const next = await settle(asked(), { timeoutMs, clock, signal });
      return next.kind === "value" ? schema.parse(next.value) : [];
    } catch {
      return [];
    }
  };
  const called = { conversationId, cwd, signal: AbortSignal.any([signal]) };
  return {
    async allowedBy(kept) {
      const written = given.filter(({ grant }) => isMeant(grant, owner));
      const about = [...written, ...kept].flatMap(({ grant, of }) => {
        const read = readGrant(grant);
        return read.kind === "grant" && isAbout(read.grant, tool.name)
          ? [{ pattern: read.grant.pattern, text: `${grant} of ${of}` }]
          : [];
      });
      const whole = about.find(({ pattern }) => pattern === undefined);
      if (whole !== undefined) return { by: whole.text };
      const patterns = about.flatMap(({ pattern }) => pattern ?? []);
      if (patterns.length === 0 || tool.grantedBy === undefined) return undefined;
      const by = await ask(async () => tool.grantedBy?.(input, { ...called, patterns }), patternsSchema);
      // Ignore patterns that were not offered to the tool.
      const texts = by.map((pattern) => about.find((one) => one.pattern === pattern)?.text);
      if (texts.length === 0 || texts.includes(undefined)) return undefined;
      return { by: [...new Set(texts)].join(", "), patterns: by };
    },
    async scopes() {
      const told = await ask(async () => tool.scopes?.(input, called) ?? [], toolScopesSchema);
      return told
        .map(({ id, label, covers, patterns }) => ({
          id,
          label,
          covers,
          grants: patterns.map((pattern) => `${tool.name}(${pattern})`),
        }))
        .filter(({ grants }) => grants.every((grant) => readGrant(grant).kind === "grant"));
    },
  };
}

/**
 * Returns whether a grant applies to the tool's owner: `SERVER__TOOL` to that server only, patterns to host tools only.
 */
function isMeant(grant: string, { kind, name }: Requester): boolean {
  const { server, pattern } = /^(?:(?<server>[^(]+?)__)?[^(]*(?<pattern>\()?/.exec(grant)?.groups ?? {};
  if (server !== undefined) return kind === "server" && name === server;
  return pattern === undefined || kind === "host";
}

function isAbout({ tool }: Grant, name: string): boolean {
  return tool.endsWith("*") ? name.startsWith(tool.slice(0, -1)) : tool === name;
}

export interface FolderAllowed {
  /** Reads the folder's grants; `undefined` when it has none and can have none. Never rejects. */
  readonly see: () => Promise<SeenFolder | undefined>;
}

/** The grants of a folder at one point in time. A folder that replaces it at the same path has none of them. */
export interface SeenFolder {
  readonly folder: string;
  readonly grants: readonly GivenGrant[];
  /** Returns the function that revokes the new grants. Rejects when the folder can no longer have grants. */
  readonly allow: (grants: readonly string[]) => Promise<() => Promise<void>>;
}

interface FolderAllowedOptions extends Pick<OrchestratorContext, "folderGrants"> {
  readonly cwd: string;
  readonly isImported: boolean;
  readonly isUnattended: boolean;
}

/**
 * Returns `undefined` for imported conversations, whose content may be hostile, and for autonomous runs: their grants
 * must come from the configuration or the turn.
 */
export function folderAllowed(
  { name, owner }: { readonly name: string; readonly owner: Requester },
  { folderGrants, cwd, isImported, isUnattended }: FolderAllowedOptions,
): FolderAllowed | undefined {
  if (isImported || isUnattended) return undefined;
  const needed = (): FolderGrants => {
    if (folderGrants.current !== undefined) return folderGrants.current;
    throw new ServiceError("INVALID_REQUEST", "This host keeps nothing that is allowed beyond a conversation");
  };
  const of = `"always" in ${JSON.stringify(cwd)}`;
  return {
    async see() {
      try {
        const found = await folderGrants.current?.allowedIn(cwd);
        if (found === undefined) return undefined;
        const own = found.allowed.filter(({ tool, by }) => tool === name && isSameAsker(by, owner));
        return {
          folder: cwd,
          grants: own.flatMap(({ grants }) => grants.map((grant) => ({ grant, of }))),
          async allow(grants) {
            const kept = needed();
            const added = await kept.allow(cwd, { tool: name, by: owner, grants, identity: found.identity });
            return async () => (added === undefined ? undefined : kept.takeBack(added));
          },
        };
      } catch {
        // The service reports the failure; the call then requires approval.
        return undefined;
      }
    },
  };
}

/** Displayed origin of permanent grants of a conversation; see `GivenGrant.of`. */
export const always = '"always" in this conversation';

const maxKept = 1_000;

/** Returns the grants of "always" in this conversation for a tool, matched by its name and owner. */
export async function permanentGrants(
  storage: Storage,
  conversationId: string,
  { name, owner }: { readonly name: string; readonly owner: Requester },
): Promise<readonly GivenGrant[]> {
  const range = { prefix: keys.allGrantsAllowed(conversationId), limit: maxKept };
  const kept = await storage.list(range, grantsAllowedSchema);
  return kept
    .filter(({ value }) => value.name === name && isSameAsker(value.by, owner))
    .flatMap(({ value }) => value.grants.map((grant) => ({ grant, of: always })));
}

export async function allowedCalls(storage: Storage, conversationId: string): Promise<readonly AllowedCalls[]> {
  const whole = await wholeTools(storage, conversationId);
  const parts = await storage.list(
    { prefix: keys.allGrantsAllowed(conversationId), limit: maxKept },
    grantsAllowedSchema,
  );
  return [
    ...whole.map(({ value }) => value),
    ...parts.map(({ key, value: { name, by, grants } }) => ({
      id: approvalIdSchema.parse(key.slice(key.lastIndexOf(":") + 1)),
      tool: name,
      asker: by,
      grants,
    })),
  ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** @throws {ServiceError} `APPROVAL_UNKNOWN` */
export async function revokeApproval(storage: Storage, conversationId: string, id: ApprovalId): Promise<void> {
  const part = keys.grantsAllowed(conversationId, id);
  const whole = (await wholeTools(storage, conversationId)).find(({ value }) => value.id === id);
  const key = whole?.key ?? ((await storage.get(part, grantsAllowedSchema)) === undefined ? undefined : part);
  if (key !== undefined) {
    await storage.delete(key);
    return;
  }
  throw new ServiceError("APPROVAL_UNKNOWN", `Nothing that is allowed in this conversation has the id "${id}"`, {
    next: { action: "show-conversation", conversationId },
  });
}

/** Returns grants for whole tools. Ignores entries of older hosts, which lack the owner. */
async function wholeTools(
  storage: Storage,
  conversationId: string,
): Promise<readonly { readonly key: string; readonly value: AllowedCalls }[]> {
  const prefix = keys.toolAllowed(conversationId, "");
  const stored = await storage.list({ prefix, limit: maxKept }, toolAllowedSchema);
  return stored.flatMap(({ key, value: { approvalId, by } }) => {
    const id = approvalIdSchema.safeParse(approvalId).data;
    if (by === undefined || id === undefined) return [];
    const tool = key.slice(prefix.length);
    return [{ key, value: { id, tool, asker: by, grants: [tool] } }];
  });
}

const answerSchema = z.string().optional();

export async function approvalReason(
  tool: Tool,
  input: object,
  {
    conversationId,
    cwd,
    clock,
    signal,
  }: {
    readonly conversationId: string;
    readonly cwd: string;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): Promise<string | undefined> {
  if (tool.mustAsk === undefined) return undefined;
  // A separate signal, because a tool could modify the turn's own.
  const called = { conversationId, cwd, signal: AbortSignal.any([signal]) };
  // Third-party tools may return synchronously.
  const told = async (): Promise<unknown> => tool.mustAsk?.(input, called);
  try {
    const next = await settle(told(), { timeoutMs, clock, signal });
    if (next.kind === "value") return answerSchema.parse(next.value);
    return "Determining what this call would change took too long";
  } catch {
    // Without an answer, grants do not apply.
    return "Cannot determine what this call would change";
  }
}
