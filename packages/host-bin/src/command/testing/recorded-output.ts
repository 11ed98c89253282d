import { createOutput, type Output } from "../output/output.ts";

export interface RecordedOutput {
  readonly output: Output;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

export function recordOutput({
  isScreen = false,
  env = {},
}: {
  readonly isScreen?: boolean;
  readonly env?: Readonly<Record<string, string>>;
} = {}): RecordedOutput {
  const written: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  const textOf = (stream: "stdout" | "stderr"): string => Buffer.concat(written[stream]).toString();
  const take = async (data: string | Uint8Array): Promise<void> => void written.stdout.push(Buffer.from(data));
  const output = createOutput({
    write: (stream, text) => void written[stream].push(Buffer.from(text)),
    writeWhenTaken: take,
    announce: take,
    keepForProtocol: () => {},
    isScreen: () => isScreen,
    columns: () => undefined,
    env,
  });
  return { output, stdout: () => textOf("stdout"), stderr: () => textOf("stderr") };
}
