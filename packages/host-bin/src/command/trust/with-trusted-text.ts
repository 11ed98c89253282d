import { ApiClientError } from "@incipit/transport-contract";
import type { AskPerson } from "../questions/ask-at-terminal.ts";
import type { AskForTextOptions } from "./ask-for-text.ts";

interface TrustedTextOptions extends Omit<AskForTextOptions, "askPerson"> {
  readonly askPerson: AskPerson | undefined;
}

/** `work` may be rejected with `UNTRUSTED_TEXT` before any change, and runs again after a yes. */
export async function withTrustedText(work: () => Promise<number>, options: TrustedTextOptions): Promise<number> {
  const { askPerson } = options;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isUntrusted = error instanceof ApiClientError && error.code === "UNTRUSTED_TEXT";
      if (!isUntrusted || askPerson === undefined) throw error;
      const { askForText } = await import("./ask-for-text.ts");
      const answer = await askForText(error.details, { ...options, askPerson });
      if (answer === "nothing-to-ask") throw error;
      if (answer === "interrupted") return 130;
      if (answer === "refused") return 1;
    }
  }
}
