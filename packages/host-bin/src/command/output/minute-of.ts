/** Formats the name of the time zone in English, like all other output. */
const zoneNames = new Intl.DateTimeFormat("en-US", { timeZoneName: "short" });

/** Formats a time as `2026-11-23 08:00 UTC` or `2026-11-23 09:00 GMT+1`. */
export function minuteOf(time: string): string {
  const zone = zoneNames.formatToParts(new Date(time)).find(({ type }) => type === "timeZoneName")?.value;
  return `${localMinute(time)} ${zone ?? ""}`.trimEnd();
}

export function localMinute(time: string): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
