import { clippedLine } from "@incipit/schema/text";
import type { TurnEvent } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { errorText } from "../output/error-text.ts";
import type { Output } from "../output/output.ts";
import { spentText } from "../output/spent-text.ts";

interface TaskLinesOptions {
  readonly client: Client;
  readonly conversationId: string;
  readonly output: Output;
}

interface RunningTask {
  readonly taskId: string;
  readonly ended: AbortController;
  /** Whether the task's prompt was printed; never rejects. */
  readonly isTold: Promise<boolean>;
}

export class TaskLines {
  readonly #options: TaskLinesOptions;
  readonly #running = new Map<string, RunningTask>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: TaskLinesOptions) {
    this.#options = options;
  }

  take(event: TurnEvent): void {
    if (event.type === "task-start") {
      const { conversationId: taskId, toolCallId } = event;
      const ended = new AbortController();
      this.#running.set(toolCallId, { taskId, ended, isTold: this.#begin(taskId, ended.signal) });
    }
    if (event.type !== "tool-call-end") return;
    const task = this.#running.get(event.toolCallId);
    if (task === undefined) return;
    this.#running.delete(event.toolCallId);
    const told = this.#last.then(() => this.#end(task, event.error === undefined));
    this.#last = told.catch(() => undefined); // A failure must not stop the lines after it.
  }

  /** Stops waiting for unfinished tasks. */
  async close(): Promise<void> {
    await this.#last;
    for (const { ended } of this.#running.values()) ended.abort();
    await Promise.all([...this.#running.values()].map(({ isTold }) => isTold));
  }

  /** The prompt comes with the task's first turn, which begins after the `task-start` event. */
  async #begin(taskId: string, signal: AbortSignal): Promise<boolean> {
    try {
      for await (const event of this.#options.client.followEvents(taskId, { afterSeq: 0, signal })) {
        if (event.type !== "turn-start") continue;
        this.#tellBegin(taskId, event.input);
        return true;
      }
    } catch {
      // Also printed at its end: the turn continues whether or not its tasks can be followed.
    }
    return false;
  }

  async #end({ taskId, ended, isTold }: RunningTask, isAnswered: boolean): Promise<void> {
    const { client, conversationId: id, output } = this.#options;
    ended.abort();
    const wasTold = await isTold;
    const how = isAnswered ? "has answered" : "has ended without an answer";
    try {
      const { tasks } = await client.call(routes.listTasks, { params: { id } });
      const task = tasks.find(({ conversation }) => conversation.id === taskId);
      const title = task?.conversation.title;
      if (!wasTold && title !== undefined && title !== null) this.#tellBegin(taskId, title);
      output.errLine(`Task ${taskId} ${how}${task === undefined ? "" : `: ${spentText(task.spent)}`}`);
    } catch (error) {
      output.errLine(`Task ${taskId} ${how}; what it cost cannot be read: ${errorText(error)}`);
    }
  }

  #tellBegin(taskId: string, asked: string): void {
    this.#options.output.errLine(`Task ${taskId} begins: ${clippedLine(asked, { maxCharacters: 200 })}`);
  }
}
