import type { Model, Profile } from "@incipit/transport-contract";
import type { JSX } from "preact";
import type { BeginsWith } from "../place/place.ts";
import { words } from "../text/words.ts";
import { Select, TextField } from "./fields.tsx";

interface BeginFieldsProps {
  readonly chosen: BeginsWith;
  readonly models: readonly Model[];
  readonly profiles: readonly Pick<Profile, "name" | "model">[];
  /** Id of a `datalist` with folders. */
  readonly folders?: string;
  readonly onChoose: (chosen: BeginsWith) => void;
}

/** What a conversation begins with. The default model is selected by an empty value. */
export function BeginFields({ chosen, models, profiles, folders, onChoose }: BeginFieldsProps): JSX.Element {
  const said = words.composer;
  const ofProfile = profiles.find(({ name }) => name === chosen.profile)?.model;
  return (
    <>
      <Select
        label={said.model}
        value={chosen.model}
        options={models.map(({ id, isDefault }) => [
          isDefault ? "" : id,
          isDefault && ofProfile != null ? said.profileModel(ofProfile) : id,
        ])}
        onChoose={(model) => onChoose({ ...chosen, model })}
      />
      {profiles.length > 0 && (
        <Select
          label={said.profile}
          value={chosen.profile}
          options={[["", said.noProfile], ...profiles.map(({ name }) => [name, name] as const)]}
          onChoose={(profile) => onChoose({ ...chosen, profile })}
        />
      )}
      <TextField
        label={said.cwd}
        class="wide"
        value={chosen.cwd}
        placeholder={said.cwdHint}
        spellcheck={false}
        dir="ltr"
        {...(folders === undefined ? {} : { list: folders })}
        onText={(cwd) => onChoose({ ...chosen, cwd })}
      />
    </>
  );
}
