import type { ExtensionPoint, ServiceHandle } from "../contract/handle.ts";
import type { Contribution, Contributions, ServiceReference } from "../contract/host.ts";
import { KernelError } from "../failures/kernel-error.ts";
import type { LiveValue } from "./live-value.ts";

interface Source {
  current(): unknown;
  onChange(listener: () => void): () => void;
}

/** Its listeners are removed when `signal` aborts. */
export function sourceOf<Value>(
  value: LiveValue<Value>,
  signal: AbortSignal,
  read: (value: Value) => unknown = (current) => current,
): Source {
  return {
    current: () => read(value.current),
    onChange: (listener) => {
      if (signal.aborted) return () => {};
      const stop = value.onChange(listener);
      const end = (): void => {
        signal.removeEventListener("abort", end);
        stop();
      };
      signal.addEventListener("abort", end);
      return end;
    },
  };
}

export function referenceTo<Service extends object>(
  handle: ServiceHandle<Service>,
  source: Source,
): ServiceReference<Service> {
  // A slot holds the value of this handle's type, as `provideService` accepted it.
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  const read = (): Service | undefined => source.current() as Service | undefined;
  return {
    get current() {
      return read();
    },
    get() {
      const service = read();
      if (service === undefined) {
        throw new KernelError(
          "SERVICE_UNAVAILABLE",
          `Cannot reach "${handle.id}": no active extension provides it; load one that does`,
        );
      }
      return service;
    },
    onChange: (listener) => source.onChange(listener),
  };
}

export function contributionsTo<Value>(_point: ExtensionPoint<Value>, source: Source): Contributions<Value> {
  return {
    get current() {
      // oxlint-disable-next-line typescript/consistent-type-assertions -- `contribute` accepted the point's type
      return source.current() as readonly Contribution<Value>[];
    },
    onChange: (listener) => source.onChange(listener),
  };
}
