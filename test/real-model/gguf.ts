/** https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
const valueType = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;

const tensorTypeF32 = 0;
const version = 3;
const alignment = 32;
const bytesPerFloat = 4;

export type MetadataValue =
  | { readonly type: "uint32" | "float32"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "strings"; readonly value: readonly string[] }
  | { readonly type: "int32s" | "float32s"; readonly value: readonly number[] };

export interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

export function encodeGguf(metadata: ReadonlyMap<string, MetadataValue>, tensors: readonly Tensor[]): Uint8Array {
  const file = new Bytes();
  file.add(new TextEncoder().encode("GGUF"));
  file.uint32(version);
  file.uint64(tensors.length);
  file.uint64(metadata.size);
  for (const [key, value] of metadata) {
    file.string(key);
    addMetadata(file, value);
  }
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    file.string(name);
    file.uint32(shape.length);
    for (const length of shape) file.uint64(length);
    file.uint32(tensorTypeF32);
    file.uint64(offset);
    offset += Math.ceil((values.length * bytesPerFloat) / alignment) * alignment;
  }
  file.pad();
  for (const { values } of tensors) {
    for (const value of values) file.float32(value);
    file.pad();
  }
  return file.join();
}

function addMetadata(file: Bytes, { type, value }: MetadataValue): void {
  switch (type) {
    case "uint32":
    case "float32":
      file.uint32(valueType[type]);
      file[type](value);
      return;
    case "bool":
      file.uint32(valueType.bool);
      file.add(new Uint8Array([value ? 1 : 0]));
      return;
    case "string":
      file.uint32(valueType.string);
      file.string(value);
      return;
    case "strings":
      file.array(valueType.string, value.length);
      for (const item of value) file.string(item);
      return;
    case "int32s":
      file.array(valueType.int32, value.length);
      for (const item of value) file.uint32(item);
      return;
    case "float32s":
      file.array(valueType.float32, value.length);
      for (const item of value) file.float32(item);
  }
}

class Bytes {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  uint32(value: number): void {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, value, true);
    this.add(new Uint8Array(view.buffer));
  }

  uint64(value: number): void {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(value), true);
    this.add(new Uint8Array(view.buffer));
  }

  float32(value: number): void {
    const view = new DataView(new ArrayBuffer(bytesPerFloat));
    view.setFloat32(0, value, true);
    this.add(new Uint8Array(view.buffer));
  }

  string(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.uint64(bytes.length);
    this.add(bytes);
  }

  array(itemType: number, length: number): void {
    this.uint32(valueType.array);
    this.uint32(itemType);
    this.uint64(length);
  }

  pad(): void {
    this.add(new Uint8Array((alignment - (this.#length % alignment)) % alignment));
  }

  join(): Uint8Array {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }
}
