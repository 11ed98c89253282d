export interface Challenge {
  readonly scope?: string;
  readonly resourceMetadataUrl?: URL;
}

export function challengeIn(headers: Headers, serverUrl: string): Challenge {
  const [, parameters = ""] =
    /(?:^|,)\s*(?:bearer|dpop)\s+(.*)$/i.exec(headers.get("www-authenticate") ?? "") ?? [];
  const scope = parameter(parameters, "scope");
  const address = parameter(parameters, "resource_metadata");
  const isAddress = address !== undefined && URL.canParse(address, serverUrl);
  return {
    ...(scope === undefined ? {} : { scope }),
    ...(isAddress ? { resourceMetadataUrl: new URL(address, serverUrl) } : {}),
  };
}

function parameter(parameters: string, name: string): string | undefined {
  const [, quoted, bare] =
    new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,]+))`, "i").exec(parameters) ?? [];
  const value = quoted ?? bare;
  return value === "" ? undefined : value;
}
