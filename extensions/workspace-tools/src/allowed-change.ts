import type { ToolCall } from "./define-tool.ts";
import type { WorkspaceToolName } from "./tool-names.ts";

interface Change {
  readonly tool: WorkspaceToolName;
  readonly input: object;
  /** What the call would do by now. */
  readonly preview: string;
}

/** In UTF-16 units, as the host takes it of a question. */
const maxPreviewLength = 262_144;

/**
 * Asks the person again, as the file is not what it was when they allowed the change.
 * @throws {Error} when they do not allow what it would be by now, or cannot be asked.
 */
export async function askAgain({ askPermission }: ToolCall, { tool, input, preview }: Change): Promise<void> {
  const changed = `Cannot run ${tool}: the file changed after the user allowed the call`;
  if (askPermission === undefined || preview.length > maxPreviewLength)
    throw new Error(`${changed}, and nobody can be asked about what it would do now; read the file again`);
  const { decision } = await askPermission({
    name: tool,
    input: JSON.stringify(input),
    why: "The file changed since you allowed this: see what the call would do now",
    preview,
  });
  if (decision === "deny")
    throw new Error(`${changed}, and the user did not allow what it would do now; read the file again`);
}
