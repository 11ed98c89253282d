import { KernelError, type Caller } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { approvalsFor, conversationsFor } from "./for-caller.ts";
import { createWorld } from "../testing/test-world.ts";

test("send and sendAllowing expand a command for another extension only where it may read", async () => {
  await using world = await createWorld();
  const { conversations, approvals } = world;
  const { id, cwd } = await conversations.create({});
  const codes = async (granted: Caller["granted"]): Promise<readonly unknown[]> => {
    const caller: Caller = { extension: "acme.sender", trust: "standard", granted };
    const command = { name: "review" };
    const approving = { ...approvals, get: (asked: typeof id) => conversations.get(asked) };
    return [
      await codeOf(conversationsFor(conversations, caller).send?.(id, { command })),
      await codeOf(approvalsFor(approving, caller).sendAllowing?.(id, { command }, { allow: [] })),
    ];
  };

  expect(await codes({})).toEqual(["CAPABILITY_DENIED", "CAPABILITY_DENIED"]);
  // Nothing provides commands here, so both got past the check.
  expect(await codes({ fs: { read: [cwd] } })).toEqual(["SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE"]);
});

async function codeOf(send: Promise<unknown> | undefined): Promise<unknown> {
  try {
    await send;
    return "sent";
  } catch (error) {
    return KernelError.is(error) || ServiceError.is(error) ? error.code : error;
  }
}
