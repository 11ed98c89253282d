import type { AuditedStep, Usage } from "@incipit/schema";
import type { JSX } from "preact";

/** Relative to the largest request, so that small ones stay visible. */
const leastShare = 0.12;

interface CacheBarProps {
  readonly step: AuditedStep;
  readonly largestBytes: number;
}

/** Text next to it has the same facts. */
export function CacheBar({ step: { prefix, usage, verdict }, largestBytes }: CacheBarProps): JSX.Element | null {
  if (verdict === "unsent") return null;
  const { sizeBytes = 0, sharedBytes = 0 } = prefix ?? {};
  const width = Math.max(leastShare, shareOf(sizeBytes, largestBytes));
  return <SharesBar read={readShare(usage)} same={shareOf(sharedBytes, sizeBytes)} width={width} />;
}

export function readShare(usage: Usage | null): number {
  return shareOf(usage?.cacheReadTokens ?? 0, usage?.inputTokens ?? 0);
}

interface SharesBarProps {
  /** From 0 to 1. */
  readonly read: number;
  readonly same: number;
  readonly width: number;
}

export function SharesBar({ read, same: sameAsBefore, width }: SharesBarProps): JSX.Element {
  const same = Math.max(read, sameAsBefore);
  const parts = [
    ["read", read],
    ["same", same - read],
    ["fresh", 1 - same],
  ] as const;
  return (
    <span class="cache-bar" aria-hidden="true" style={{ inlineSize: percentOf(width) }}>
      {parts.map(
        ([part, share]) =>
          share > 0 && <span key={part} data-cache={part} style={{ inlineSize: percentOf(share) }} />,
      )}
    </span>
  );
}

function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, part / whole);
}

function percentOf(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}
