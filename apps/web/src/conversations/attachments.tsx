import { toFilename, type FilePart } from "@incipit/schema";
import type { JSX } from "preact";
import { Button } from "../controls/fields.tsx";
import { words } from "../text/words.ts";

const base64Prefix = /^[^,]*,/;
/** Without parameters, as the API expects. */
const mediaType = /^[^;]+/;

/** @throws {Error} for an empty file. */
export async function filePart(file: File): Promise<FilePart> {
  if (file.size === 0) throw new Error(words.composer.emptyFile(file.name));
  const read = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener("load", () => read.resolve(typeof reader.result === "string" ? reader.result : ""));
  reader.addEventListener("error", () => read.reject(reader.error));
  reader.readAsDataURL(file);
  const data = (await read.promise).replace(base64Prefix, "");
  const [type = "application/octet-stream"] = mediaType.exec(file.type) ?? [];
  return { type: "file", mediaType: type.toLowerCase(), data, filename: toFilename(file.name) };
}

interface AttachmentsProps {
  readonly files: readonly FilePart[];
  readonly onRemove: (file: FilePart) => void;
}

export function Attachments({ files, onRemove }: AttachmentsProps): JSX.Element | null {
  if (files.length === 0) return null;
  return (
    <ul class="attachments" aria-label={words.composer.attached}>
      {files.map((file, index) => (
        <li key={index} class="row">
          <FileView file={file} />
          <Button
            text={words.composer.removeFile(file.filename ?? file.mediaType)}
            class="plain"
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
    </ul>
  );
}

const drawn: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function FileView({ file: { mediaType: type, data, filename } }: { readonly file: FilePart }): JSX.Element {
  const name = filename ?? type;
  if (!drawn.has(type)) return <p>{words.messages.file(name)}</p>;
  return <img class="picture" src={`data:${type};base64,${data}`} alt={words.messages.file(name)} />;
}
