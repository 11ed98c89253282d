import type { Tool, ToolScope } from "@incipit/service-contract";
import * as z from "zod";
import type { WorkspaceToolName } from "./tool-names.ts";

export interface ToolCall {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly allowedAlthough?: string | undefined;
  readonly allowedPreview?: string | undefined;
  readonly allowedPatterns?: readonly string[] | undefined;
  readonly askPermission?: Parameters<Tool["execute"]>[1]["askPermission"] | undefined;
  readonly tellProgress?: Parameters<Tool["execute"]>[1]["tellProgress"] | undefined;
  readonly keepFile?: Parameters<Tool["execute"]>[1]["keepFile"] | undefined;
  readonly readOutput?: Parameters<Tool["execute"]>[1]["readOutput"] | undefined;
}

interface ToolOptions<Input> extends Pick<
  Tool,
  "description" | "approval" | "isReadOnly" | "keepsFiles" | "givesPartialOutput" | "readsOutputs" | "timeoutMs"
> {
  readonly name: WorkspaceToolName;
  readonly input: z.ZodType<Input>;
  /** @throws {Error} with a message for the model. */
  readonly run: (input: Input, call: ToolCall) => Promise<string>;
  readonly preview?: (input: Input, call: ToolCall) => Promise<string>;
  readonly mustAsk?: (input: Input, call: ToolCall) => Promise<string | undefined>;
  readonly grants?: {
    readonly by: (
      input: Input,
      call: ToolCall & { readonly patterns: readonly string[] },
    ) => Promise<readonly string[]>;
    readonly scopes: (input: Input, call: ToolCall) => Promise<readonly ToolScope[]>;
  };
}

export function defineTool<Input>(options: ToolOptions<Input>): Tool {
  const { input: schema, run, preview, mustAsk, grants, ...tool } = options;
  const { $schema: _, ...shown } = z.toJSONSchema(schema, { io: "input" });
  const checked = (input: unknown): Input => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return parsed.data;
    throw new Error(`Cannot run ${tool.name}: ${parsed.error.issues.map(describe).join("; ")}`);
  };
  return {
    ...tool,
    inputSchema: z.record(z.string(), z.json()).parse(shown),
    async execute(input, { cwd, signal, tellProgress, keepFile, readOutput, ...allowed }) {
      const parsed = checked(input);
      signal.throwIfAborted();
      const { allowedAlthough, allowedPreview, allowedPatterns, askPermission } = allowed;
      const by = { allowedAlthough, allowedPreview, allowedPatterns, askPermission };
      return run(parsed, { cwd, signal, tellProgress, keepFile, readOutput, ...by });
    },
    ...(mustAsk === undefined
      ? {}
      : {
          async mustAsk(input, { cwd, signal }) {
            const parsed = schema.safeParse(input);
            return parsed.success ? mustAsk(parsed.data, { cwd, signal }) : undefined;
          },
        }),
    ...(grants === undefined
      ? {}
      : {
          async grantedBy(input, { patterns, cwd, signal }) {
            const parsed = schema.safeParse(input);
            return parsed.success ? grants.by(parsed.data, { patterns, cwd, signal }) : [];
          },
          async scopes(input, { cwd, signal }) {
            const parsed = schema.safeParse(input);
            return parsed.success ? grants.scopes(parsed.data, { cwd, signal }) : [];
          },
        }),
    ...(preview === undefined
      ? {}
      : { preview: async (input, { cwd, signal }) => preview(checked(input), { cwd, signal }) }),
  };
}

function describe({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `"${path.join(".")}": ${message}`;
}
