import { KernelError } from "@incipit/kernel";
import { ServiceError, type Chats } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { notifyChat } from "./notify-chat.ts";

const told = { to: "telegram:-100/4", text: "The disk is full.", key: "one" };

const log = { error: () => {} };

function failing(error: Error): Pick<Chats, "send"> {
  return { send: () => Promise.reject(error) };
}

function tell(error: Error): Promise<unknown> {
  return notifyChat({ current: failing(error) }, told, log).catch((thrown: unknown) => thrown);
}

test("notifyChat returns the failure for permanent errors", async () => {
  const unknown = new ServiceError("CHAT_UNKNOWN", "Nobody has written there");
  const off = new ServiceError("SERVICE_UNAVAILABLE", "The channel is off");

  expect(await tell(unknown)).toEqual({
    code: "CHAT_UNKNOWN",
    message: 'Cannot notify "telegram:-100/4": Nobody has written there',
  });
  expect(await tell(off)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(await notifyChat({ current: undefined }, told, log)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});

test("notifyChat rejects with transient errors, such as a swap or full storage", async () => {
  const swapped = new KernelError("GENERATION_GONE", "It was swapped");
  const within = new ServiceError("SERVICE_UNAVAILABLE", swapped.message, { cause: swapped });
  const full = new ServiceError("STORAGE_FAILED", "The disk is full");

  for (const error of [swapped, within, full]) expect(await tell(error)).toBe(error);
});
