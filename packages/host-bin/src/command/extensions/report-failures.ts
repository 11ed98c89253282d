import type { Clock } from "@incipit/kernel";
import { ApiClientError, routes, type Client, type ExtensionInfo } from "@incipit/transport-contract";

const lookMs = 500;

/** The command that started the extension reports startup errors. */
const whileServing: ReadonlySet<string> = new Set(["CONTRIBUTION_FAILED", "CAPABILITY_DENIED", "UNCAUGHT"]);

type Failure = NonNullable<ExtensionInfo["lastError"]>;

export interface TellFailuresOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly id: () => string | undefined;
  readonly tell: (failure: Failure) => void;
  readonly signal: AbortSignal;
}

/** Reports each failure once while it stays the extension's last error. */
export async function reportFailures({ client, clock, id, tell, signal }: TellFailuresOptions): Promise<void> {
  let told: string | undefined;
  while (!signal.aborted) {
    const failure = await failureOf(client, id(), signal);
    const key = failure === null ? undefined : `${failure.code} ${failure.message}`;
    if (failure !== null && key !== told) tell(failure);
    told = key;
    await pause(clock, signal);
  }
}

async function failureOf(client: Client, id: string | undefined, signal: AbortSignal): Promise<Failure | null> {
  if (id === undefined) return null;
  try {
    const { lastError } = (await client.call(routes.getExtension, { params: { id }, signal })).extension;
    return lastError !== null && whileServing.has(lastError.code) ? lastError : null;
  } catch (error) {
    if (signal.aborted || error instanceof ApiClientError) return null; // Gone or being swapped; the next poll reports it.
    throw error;
  }
}

function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.setTimer(end, lookMs);
    function end(): void {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    }
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}
