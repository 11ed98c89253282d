import type { Storage } from "@incipit/kernel";
import { approvalIdSchema, isSameAsker, type AllowedCalls, type ApprovalId, type Requester } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { grantsAllowedSchema, keys, toolAllowedSchema } from "../store/stored.ts";
import type { GivenGrant } from "./call-grants.ts";

/** The end of "allowed by GRANT of …". */
export const always = '"always" in this conversation';

const maxKept = 1_000;

/** Matched by name and owner. */
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

/** Ignores entries of older hosts, which lack the owner. */
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
