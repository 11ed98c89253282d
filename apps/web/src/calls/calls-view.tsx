import type { JSX } from "preact";
import { CallView } from "./call-view.tsx";
import { CallList } from "./call-list.tsx";

export function CallsView({ id }: { readonly id: string | undefined }): JSX.Element {
  return id === undefined ? <CallList /> : <CallView key={id} id={id} />;
}
