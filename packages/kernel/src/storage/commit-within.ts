import type { StorageQuota } from "./storage-quota.ts";
import type {
  AtomicResult,
  CommitOptions,
  NamespacedCheck,
  NamespacedWrite,
  StorageDriver,
} from "../contract/storage.ts";

interface StorageLimit {
  readonly quota: StorageQuota;
  readonly maxBytes: number;
  readonly activation: object;
}

export interface CommitPart {
  readonly checks: readonly NamespacedCheck[];
  readonly writes: readonly NamespacedWrite[];
  readonly limit: StorageLimit | undefined;
}

/**
 * In one transaction, or none if a part exceeds its extension's limit.
 *
 * @throws {KernelError} `CAPABILITY_DENIED` for the extension over its limit.
 */
export async function commitWithin(
  driver: () => StorageDriver,
  parts: readonly CommitPart[],
  options: CommitOptions = {},
): Promise<AtomicResult> {
  const checks = parts.flatMap((part) => part.checks);
  const writes = parts.flatMap((part) => part.writes);
  const limits = parts.flatMap(({ limit }) => limit ?? []);
  // A global order prevents deadlocks between commits that share quotas.
  const quotas = [...new Set(limits.map(({ quota }) => quota))].toSorted((a, b) =>
    a.extension < b.extension ? -1 : 1,
  );
  if (quotas.length === 0) return driver().atomic(checks, writes, options);

  const commit = async (): Promise<AtomicResult> => {
    const current = driver();
    const plans = await Promise.all(
      quotas.map((quota) => {
        const own = limits.filter((limit) => limit.quota === quota);
        return quota.plan(
          current,
          parts.flatMap((part) => (part.limit?.quota === quota ? part.writes : [])),
          {
            maxBytes: Math.min(...own.map(({ maxBytes }) => maxBytes)),
            activation: own[0]?.activation ?? quota,
          },
        );
      }),
    );
    try {
      const result = await current.atomic(checks, [...writes, ...plans.flatMap(({ listing }) => listing)], options);
      if (result.kind === "committed") for (const plan of plans) plan.apply();
      return result;
    } catch (error) {
      for (const quota of quotas) quota.recount();
      throw error;
    }
  };
  const inTurn = quotas.reduceRight<() => Promise<AtomicResult>>(
    (work, quota) => () => quota.exclusively(work),
    commit,
  );
  return inTurn();
}
