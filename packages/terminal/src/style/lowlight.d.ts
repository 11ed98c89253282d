// Own declarations: the types of lowlight include browser types, which change stream types globally. Based on
// https://github.com/wooorm/lowlight and https://github.com/syntax-tree/hast.

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

export declare const common: Readonly<Record<string, unknown>>;
export declare function createLowlight(languages: typeof common): Lowlight;
