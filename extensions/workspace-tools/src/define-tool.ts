import type { Tool, ToolScope } from "@incipit/service-contract";
import * as z from "zod";
import type { WorkspaceToolName } from "./tool-names.ts";

export interface ToolCall {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** What was said of this very call, and a person has allowed. */
  readonly allowedAlthough?: string | undefined;
  /** As `Tool.execute` has it. */
  readonly allowedPreview?: string | undefined;
  /** As `Tool.execute` has it. */
  readonly allowedPatterns?: readonly string[] | undefined;
  /** As `Tool.execute` has it. */
  readonly askPermission?: Parameters<Tool["execute"]>[1]["askPermission"] | undefined;
  /** As `Tool.execute` has it. */
  readonly tellProgress?: Parameters<Tool["execute"]>[1]["tellProgress"] | undefined;
  /** As `Tool.execute` has it. */
  readonly keepFile?: Parameters<Tool["execute"]>[1]["keepFile"] | undefined;
  /** As `Tool.execute` has it. */
  readonly readOutput?: Parameters<Tool["execute"]>[1]["readOutput"] | undefined;
}

interface ToolOptions<Input> extends Pick<
  Tool,
  "description" | "approval" | "isReadOnly" | "keepsFiles" | "givesPartialOutput" | "readsOutputs" | "timeoutMs"
> {
  readonly name: WorkspaceToolName;
  readonly input: z.ZodType<Input>;
  /** @throws {Error} when it cannot be done, with what the model is told. */
  readonly run: (input: Input, call: ToolCall) => Promise<string>;
  /** What it would change. @throws {Error} when it cannot be done. */
  readonly preview?: (input: Input, call: ToolCall) => Promise<string>;
  /** As `Tool.mustAsk`, of an input that the schema takes. */
  readonly mustAsk?: (input: Input, call: ToolCall) => Promise<string | undefined>;
  /** What of its calls can be allowed beforehand, beside all of them. */
  readonly grants?: {
    /** As `Tool.grantedBy`. */
    readonly by: (
      input: Input,
      call: ToolCall & { readonly patterns: readonly string[] },
    ) => Promise<readonly string[]>;
    /** As `Tool.scopes`. */
    readonly scopes: (input: Input, call: ToolCall) => Promise<readonly ToolScope[]>;
  };
}

/** A tool whose input is checked by the schema that the model is shown. */
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
            return parsed.success ? mustAsk(parsed.data, { cwd, signal }) : undefined; // It will not run.
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
