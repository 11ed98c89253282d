interface Page {
  readonly url: string;
  readonly text: string;
  readonly form: Form | undefined;
}

interface Form {
  readonly action: string;
  readonly method: string;
  readonly fields: readonly (readonly [string, string])[];
}

const maxSteps = 30;

/** Follows redirects, keeps cookies per origin and submits sign-in forms like a user who consents. */
export class FormBrowser {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly submitted: string[] = [];

  /** Resolves at the first page without a form. @throws when there is none within the limit. */
  async agree(address: string): Promise<string> {
    let page = await this.#open(address);
    for (let step = 0; step < maxSteps && page.form !== undefined; step += 1) {
      const { action, method, fields } = page.form;
      this.submitted.push(new URL(page.url).pathname);
      const body = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]));
      const target = new URL(action, page.url);
      if (method === "post") page = await this.#open(target.href, body);
      else {
        target.search = body.toString();
        page = await this.#open(target.href);
      }
    }
    if (page.form !== undefined) throw new Error(`The sign-in asks for more than ${maxSteps} forms: ${page.url}`);
    return page.text;
  }

  async #open(address: string, body?: URLSearchParams): Promise<Page> {
    let [url, sent] = [new URL(address), body];
    for (let step = 0; step < maxSteps; step += 1) {
      const response = await fetch(url, {
        method: sent === undefined ? "GET" : "POST",
        redirect: "manual",
        headers: { accept: "text/html", cookie: this.#cookiesOf(url) },
        ...(sent === undefined ? {} : { body: sent }),
      });
      this.#keep(url, response);
      const location = response.headers.get("location");
      if (location === null) return await pageOf(url.href, response);
      [url, sent] = [new URL(location, url), undefined];
    }
    throw new Error(`The sign-in redirects more than ${maxSteps} times: ${url.href}`);
  }

  #cookiesOf({ origin }: URL): string {
    return [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep({ origin }: URL, response: Response): void {
    const known = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, known);
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      const at = pair.indexOf("=");
      known.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }
}

async function pageOf(url: string, response: Response): Promise<Page> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answers with status ${response.status}: ${text}`);
  const fields: (readonly [string, string])[] = [];
  let found: { action: string; method: string } | undefined;
  let hasButton = false;
  new HTMLRewriter()
    .on("form", {
      element(form) {
        found ??= {
          action: unescaped(form.getAttribute("action")) || url,
          method: form.getAttribute("method") ?? "get",
        };
      },
    })
    .on("form input, form button", {
      element(field) {
        const name = unescaped(field.getAttribute("name"));
        const type = field.getAttribute("type") ?? (field.tagName === "button" ? "submit" : "text");
        const value = field.getAttribute("value");
        if (type === "submit" && (hasButton || /deny|cancel/i.test(value ?? ""))) return;
        hasButton ||= type === "submit";
        if (type === "checkbox" && field.getAttribute("checked") === null) return;
        if (name !== "") fields.push([name, value === null ? "somebody" : unescaped(value)]);
      },
    })
    .transform(text);
  if (found === undefined) return { url, text, form: undefined };
  return { url, text, form: { ...found, method: found.method.toLowerCase(), fields } };
}

function unescaped(text: string | null): string {
  const named: Readonly<Record<string, string>> = {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    "#39": "'",
    "#x27": "'",
  };
  return (text ?? "").replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (whole, name: string) => named[name] ?? whole);
}
