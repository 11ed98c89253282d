/** A timestamp to the minute, such as `2026-11-23 08:00 UTC`. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}
