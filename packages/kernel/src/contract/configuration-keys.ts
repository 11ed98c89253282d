import * as z from "zod";

/**
 * Accepts `none`, `env:NAME`, or a proxy URL. Rejects a URL with a password: secrets belong in environment variables.
 */
export function proxyKey(): z.ZodString {
  const rule =
    'must be "none", "env:NAME" (the variable that holds its URL), or an http or https URL without a name and a password, such as "http://proxy.acme.dev:3128"';
  return z.string().refine((text) => {
    if (text === "none" || /^env:[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return true;
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
    const { username, password, pathname, search, hash } = new URL(text);
    return username === "" && password === "" && pathname === "/" && search === "" && hash === "";
  }, rule);
}

/** Accepts an http or https URL without credentials. @param rule Error message, beginning with "must be". */
export function urlKey(rule: string): z.ZodURL {
  return z
    .url({ protocol: /^https?$/, error: rule })
    .refine((url) => !URL.canParse(url) || (new URL(url).username === "" && new URL(url).password === ""), rule);
}

/**
 * Accepts the name of an environment variable. Capitals only, so that a secret pasted by mistake is rejected and not
 * printed as a name.
 */
export function variableKey(): z.ZodString {
  return z.string().regex(/^[A-Z_][A-Z0-9_]*$/, "must be the name of a variable in capitals, never its value");
}

/** Maps header names to the variables that hold their values. */
export function headersKey(): z.ZodRecord<z.ZodString, z.ZodString> {
  return z.record(z.string().regex(/^[A-Za-z0-9-]+$/, "must be the name of a header"), variableKey());
}
