/** Whether the platform knows it as a time zone, by an IANA name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false; // That is how the platform says no.
  }
}
