import { prefixOf } from "../support/request-body.ts";

interface Watched {
  last: string | undefined;
  isCompacted: boolean;
}

const compactionEnd = "Sum up our conversation so far, as your instructions say.";
const summaryOpening = "Summary of the conversation so far:";

/**
 * Each request is valid and extends the previous one of its conversation. System messages must contain `conversation
 * ID`.
 */
export class RequestWatch {
  readonly #problemsOf: (body: string) => readonly string[];
  readonly #watched = new Map<string, Watched>();
  readonly problems: string[] = [];
  requests = 0;
  compactions = 0;

  constructor(problemsOf: (body: string) => readonly string[]) {
    this.#problemsOf = problemsOf;
  }

  see(body: string): void {
    this.requests += 1;
    const id = /conversation ([0-9a-f-]{36})/.exec(body)?.[1] ?? "";
    const watched = this.#watched.get(id) ?? { last: undefined, isCompacted: false };
    this.#watched.set(id, watched);
    for (const problem of this.#problemsOf(body)) this.problems.push(`${id}: ${problem}: ${body}`);
    if (body.includes(compactionEnd)) {
      watched.isCompacted = true;
      return;
    }
    const { last, isCompacted } = watched;
    const isNext = last === undefined || body.startsWith(prefixOf(last));
    const isNewEpoch = isCompacted && body.includes(summaryOpening);
    if (!isNext && !isNewEpoch) this.problems.push(`${id}: the prefix has changed:\n${last}\n${body}`);
    if (!isNext) this.compactions += 1;
    watched.last = body;
    watched.isCompacted = false;
  }

  last(id: string): string {
    return this.#watched.get(id)?.last ?? "";
  }
}
