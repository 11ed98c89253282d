import * as z from "zod";

/** `none`, `env:NAME`, or the URL of a proxy. A proxy's password is a secret: it stays in a variable. */
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

/** An http or https URL without a name and a password in it. @param rule What to write, beginning with "must be". */
export function urlKey(rule: string): z.ZodURL {
  return z
    .url({ protocol: /^https?$/, error: rule })
    .refine((url) => !URL.canParse(url) || (new URL(url).username === "" && new URL(url).password === ""), rule);
}

/** The name of a variable. Capitals only, so that a secret that was written here by mistake is refused, and not shown as a name. */
export function variableKey(): z.ZodString {
  return z.string().regex(/^[A-Z_][A-Z0-9_]*$/, "must be the name of a variable in capitals, never its value");
}

/** Headers, each with the variable that holds its value. */
export function headersKey(): z.ZodRecord<z.ZodString, z.ZodString> {
  return z.record(z.string().regex(/^[A-Za-z0-9-]+$/, "must be the name of a header"), variableKey());
}
