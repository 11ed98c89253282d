export function refreshMs(isUnderWay: boolean): number {
  return isUnderWay ? 1_000 : 5_000;
}
