import { FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { RateLimits } from "./rate-limits.ts";
import type { RestCall } from "./rest-client.ts";

const send = (channel: number): RestCall => ({ method: "POST", path: `/channels/${channel}/messages` });
const typing: RestCall = { method: "POST", path: "/channels/1/typing" };
const answered = (headers: Readonly<Record<string, string>> = {}, status = 200): Response =>
  new Response("", { status, headers });
const used = { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1.5" };

test("RateLimits delays one route of a channel and no other", async () => {
  const clock = new FakeClock();
  const limits = new RateLimits(clock);
  limits.note(send(1), answered(used), undefined);

  expect([send(1), send(2), typing].map((call) => Math.max(0, limits.waitMs(call)))).toEqual([1_500, 0, 0]);
  await clock.advance(1_500);
  expect(limits.waitMs(send(1))).toBeLessThanOrEqual(0);
});

test("RateLimits delays everything but interaction responses under a global limit", () => {
  const limits = new RateLimits(new FakeClock());
  limits.note(send(1), answered({}, 429), { retryAfterMs: 3_000, isGlobal: true });

  expect([limits.waitMs(send(2)), limits.waitMs(typing)]).toEqual([3_000, 3_000]);
  expect(limits.waitMs({ method: "POST", path: "/interactions/1/t/callback", isOpen: true })).toBeLessThanOrEqual(
    0,
  );
});
