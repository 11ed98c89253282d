/** Discord's epoch: https://docs.discord.com/developers/reference#snowflakes */
const epochMs = 1_420_070_400_000;

/** Returns a lower bound of all ids created at or after a time. */
export function snowflakeAt(ms: number): string {
  return String(BigInt(Math.max(Math.trunc(ms) - epochMs, 0)) << 22n);
}

export function isLater(id: string, than: string): boolean {
  return BigInt(id) > BigInt(than);
}
