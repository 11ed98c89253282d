import { homedir } from "node:os";
import { resolve } from "node:path";

export function pathFrom(folder: string, written: string): string {
  const path = written === "~" || written.startsWith("~/") ? `${homedir()}${written.slice(1)}` : written;
  return resolve(folder, path);
}
