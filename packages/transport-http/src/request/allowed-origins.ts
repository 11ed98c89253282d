/** Pages of others that may use the API, as the operator has named them; letters of either case. */
export class AllowedOrigins {
  readonly #exact: ReadonlySet<string>;
  /** Such as `vscode-webview://`, whose pages each have an origin of their own. */
  readonly #schemes: readonly string[];

  constructor(origins: readonly string[]) {
    const names = origins.map((origin) => origin.toLowerCase());
    this.#exact = new Set(names.filter((name) => !name.endsWith("*")));
    this.#schemes = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  }

  has(origin: string): boolean {
    const name = origin.toLowerCase();
    return this.#exact.has(name) || this.#schemes.some((scheme) => name.startsWith(scheme));
  }
}
