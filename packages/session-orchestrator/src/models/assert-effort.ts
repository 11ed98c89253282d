import type { Clock } from "@incipit/kernel";
import type { TurnSettings } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { settle } from "../waits/next-event.ts";
import type { FoundModel } from "./find-model.ts";

const askTimeoutMs = 5_000;

/**
 * Accepts any effort of a model without known levels.
 *
 * @throws {ServiceError} `INVALID_REQUEST` with the supported levels.
 */
export async function assertEffort(
  { clock }: { readonly clock: Clock },
  { provider, name }: FoundModel,
  { reasoningEffort: effort }: Pick<TurnSettings, "reasoningEffort"> = {},
): Promise<void> {
  if (effort === undefined) return;
  const { signal } = new AbortController();
  const ask = async (): Promise<readonly string[] | undefined> => (await provider.facts?.(name))?.reasoningEfforts;
  const asked = await settle(ask(), { timeoutMs: askTimeoutMs, clock, signal }).catch(() => undefined);
  const efforts = asked?.kind === "value" ? asked.value : undefined;
  if (efforts === undefined || efforts.includes(effort)) return;
  const known = efforts.length === 0 ? "it has none" : `it has ${efforts.map((one) => `"${one}"`).join(", ")}`;
  const message = `"${provider.id}/${name}" has no reasoning effort "${effort}"; ${known}`;
  throw new ServiceError("INVALID_REQUEST", message, {
    details: [{ field: '"settings.reasoningEffort"', message }],
  });
}
