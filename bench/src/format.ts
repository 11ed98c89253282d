import { percentile } from "./measure.ts";

export function spread(samplesMs: readonly number[]): string {
  return `p50 ${percentile(samplesMs, 0.5).toFixed(2)} ms, p99 ${percentile(samplesMs, 0.99).toFixed(2)} ms`;
}

export function megabytes(sizeBytes: number): string {
  return `${(sizeBytes / 1e6).toFixed(1)} MB`;
}

export function kibibytes(sizeBytes: number): string {
  return `${(sizeBytes / 1024).toFixed(1)} KiB`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}
