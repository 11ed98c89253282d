/** Where a command writes: answers to `out`, everything else to `err`. */
export interface Output {
  readonly out: (text: string) => void;
  /** Resolves when it was taken: for what is too much to wait in memory. */
  readonly outWhenTaken: (data: string | Uint8Array) => Promise<void>;
  readonly err: (text: string) => void;
  /** `out` is a screen, and not a file or a pipe. */
  readonly isScreen: boolean;
}

// oxlint-disable-next-line no-control-regex -- what a model writes must not steer the terminal
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/** Text of a model, safe to show: on a screen without control characters, elsewhere as it is. */
export function shownText(text: string, { isScreen }: Output): string {
  return isScreen ? text.replaceAll(control, "") : text;
}
