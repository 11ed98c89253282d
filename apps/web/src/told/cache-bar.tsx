import type { AuditedStep, Usage } from "@incipit/schema";
import type { JSX } from "preact";

/** A request that is smaller than this share of the largest is drawn so wide, to be seen. */
const leastShare = 0.12;

interface CacheBarProps {
  readonly step: AuditedStep;
  /** The bytes of the largest request beside it: the widest bar. */
  readonly largestBytes: number;
}

/** A request as a bar: what the vendor read from its cache, what was sent before as it is, and what is new. Words stand beside it. */
export function CacheBar({ step: { prefix, usage, verdict }, largestBytes }: CacheBarProps): JSX.Element | null {
  if (verdict === "unsent") return null;
  const { sizeBytes = 0, sharedBytes = 0 } = prefix ?? {};
  const width = Math.max(leastShare, shareOf(sizeBytes, largestBytes));
  return <SharesBar read={readShare(usage)} same={shareOf(sharedBytes, sizeBytes)} width={width} />;
}

/** The share of a call's input that the vendor read from its cache, as it reported it. */
export function readShare(usage: Usage | null): number {
  return shareOf(usage?.cacheReadTokens ?? 0, usage?.inputTokens ?? 0);
}

interface SharesBarProps {
  /** Shares of the request, from 0 to 1. */
  readonly read: number;
  readonly same: number;
  /** The bar's own share of its place. */
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
