/** What runs without a person changes without one: it is asked for again after this, sooner while something is under way. */
export function refreshMs(isUnderWay: boolean): number {
  return isUnderWay ? 1_000 : 5_000;
}
