export interface NetEntry {
  /**
   * In the form of `URL.hostname`: lower case, ASCII, IPv6 in brackets. `*.acme.dev` covers every name below
   * `acme.dev`, but not `acme.dev`.
   */
  readonly host: string;
  readonly port: number;
  /** Whether the host may resolve to this machine or a private network. */
  readonly isPrivate: boolean;
}

export const netEntryMessage = 'must have a host and a port from 1 to 65535, such as "api.acme.dev:443"';

const entryPattern = /^(private:)?(\[[0-9a-f:.]+\]|(?:\*\.(?=[^.]+\.[^.]))?[^\s:/?#@[\]\\*]+):([1-9]\d{0,4})$/i;

/** Parses an entry of a `net` grant, `host:port` or `private:host:port`. Returns `undefined` for an invalid entry. */
export function parseNetEntry(entry: string): NetEntry | undefined {
  const [, prefix, name = "", port = ""] = entryPattern.exec(entry) ?? [];
  if (Number(port) > 65_535) return undefined;
  const url = `http://${name}/`;
  if (name === "" || !URL.canParse(url)) return undefined;
  return { host: new URL(url).hostname, port: Number(port), isPrivate: prefix !== undefined };
}

/** Returns whether a host equals the host of an entry, or matches its `*.` wildcard. */
export function isHostOf(host: string, named: string): boolean {
  return host === named || (named.startsWith("*.") && host.endsWith(named.slice(1)) && host.length >= named.length);
}

/** Returns whether `other` covers everything that `entry` allows. */
export function isNetEntryWithin(entry: string, other: string): boolean {
  const inner = parseNetEntry(entry);
  const outer = parseNetEntry(other);
  return (
    inner !== undefined &&
    outer !== undefined &&
    isHostOf(inner.host, outer.host) &&
    inner.port === outer.port &&
    (outer.isPrivate || !inner.isPrivate)
  );
}

/** Returns the intersection of two entries in the spelling of the first, or `undefined`. */
export function commonNetEntry(entry: string, other: string): string | undefined {
  if (isNetEntryWithin(entry, other)) return entry;
  const open = entry.replace(/^private:(?=.*:)/i, "");
  return isNetEntryWithin(open, other) ? open : undefined;
}
