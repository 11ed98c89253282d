import type { JSX } from "preact";
import { CopyButton } from "../controls/copy-button.tsx";
import { Folded } from "../controls/folded.tsx";
import { hostWords } from "../text/host-words.ts";

const said = hostWords.models.add;

/** Unfolded for a host without providers. */
export function AddModels({ hasNone }: { readonly hasNone: boolean }): JSX.Element {
  if (!hasNone)
    return (
      <Folded title={said.title}>
        <Steps />
      </Folded>
    );
  return (
    <>
      <h3>{said.title}</h3>
      <Steps />
    </>
  );
}

function Steps(): JSX.Element {
  return (
    <>
      <p>{said.file}</p>
      <pre tabIndex={0}>{said.example}</pre>
      <CopyButton text={said.example} />
      <p>{said.key}</p>
      <p class="quiet">{said.others}</p>
    </>
  );
}
