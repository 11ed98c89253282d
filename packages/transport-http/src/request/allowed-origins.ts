export class AllowedOrigins {
  readonly #exact: ReadonlySet<string>;
  /** Their pages have individual origins, such as `vscode-webview://`. */
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
