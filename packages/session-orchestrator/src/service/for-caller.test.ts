import { KernelError, type Caller } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { createWorld } from "../testing/test-world.ts";
import { approvalsFor, conversationsFor } from "./for-caller.ts";

test("send and sendAllowing expand a command for another extension only where it may read", async () => {
  await using world = await createWorld();
  const { conversations, approvals } = world;
  const { id, cwd } = await conversations.create({});
  const codes = async (granted: Caller["granted"]): Promise<readonly unknown[]> => {
    const caller: Caller = { extension: "acme.sender", trust: "standard", granted };
    const command = { name: "review" };
    const sent = [
      conversationsFor(conversations, caller).send?.(id, { command }),
      approvalsFor({ ...approvals, get: conversations.get }, caller).sendAllowing?.(id, { command }, { allow: [] }),
    ];
    return Promise.all(sent.map((send) => send?.then(() => "sent").catch(codeOf)));
  };

  expect(await codes({})).toEqual(["CAPABILITY_DENIED", "CAPABILITY_DENIED"]);
  // Nothing provides commands here, so both got past the check.
  expect(await codes({ fs: { read: [cwd] } })).toEqual(["SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE"]);
});

function codeOf(error: unknown): unknown {
  return KernelError.is(error) || ServiceError.is(error) ? error.code : error;
}
