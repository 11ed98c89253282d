// The types of lowlight bring those of a browser with them, which change what is known of streams everywhere. This is what is
// used of it, in the words of https://github.com/wooorm/lowlight and https://github.com/syntax-tree/hast.

export interface CodeNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly CodeNode[];
  readonly properties?: { readonly className?: unknown };
}

export interface Lowlight {
  registered(language: string): boolean;
  highlight(language: string, code: string): { readonly children: readonly CodeNode[] };
}

/** The languages, by their names. */
export declare const common: Readonly<Record<string, unknown>>;
export declare function createLowlight(languages: typeof common): Lowlight;
