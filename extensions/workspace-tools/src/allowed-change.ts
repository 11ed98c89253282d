import type { ToolCall } from "./define-tool.ts";
import type { WorkspaceToolName } from "./tool-names.ts";

interface Change {
  readonly tool: WorkspaceToolName;
  readonly input: object;
  readonly preview: string;
}

/** In UTF-16 units; the host's limit for a question. */
const maxPreviewLength = 262_144;

/** @throws {Error} when the user denies the current change, or cannot be asked. */
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
