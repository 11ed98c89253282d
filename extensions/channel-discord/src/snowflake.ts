/** Ids count from there: https://docs.discord.com/developers/reference#snowflakes */
const epochMs = 1_420_070_400_000;

/** What every id that is made at that time, or later, is larger than. */
export function snowflakeAt(ms: number): string {
  return String(BigInt(Math.max(Math.trunc(ms) - epochMs, 0)) << 22n);
}

export function isLater(id: string, than: string): boolean {
  return BigInt(id) > BigInt(than);
}
