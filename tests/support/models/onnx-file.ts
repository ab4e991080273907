/** A tensor of fixed values inside a model. */
export type OnnxConstant = { name: string; dims: number[] } & (
  | { type: 'float32'; values: readonly number[] }
  | { type: 'int64'; values: readonly number[] }
);

/** Names of dimensions stand for any size. */
export type OnnxValue = { name: string; type: keyof typeof elementTypes; dims: (number | string)[] };

export type OnnxNode = {
  op: string;
  inputs: string[];
  outputs: string[];
  attributes?: Record<string, number | number[] | string>;
};

export type OnnxModel = {
  inputs: OnnxValue[];
  outputs: OnnxValue[];
  nodes: OnnxNode[];
  constants?: OnnxConstant[];
  metadata?: Record<string, string | number>;
};

const elementTypes = { float32: 1, int32: 6, int64: 7 } as const;
const attributeTypes = { int: 2, string: 3, ints: 7 } as const;
const irVersion = 8;
const opsetVersion = 13;

/** The bytes of an ONNX file (onnx.proto3, protocol buffers wire format), with as much of it as small graphs need. */
export function onnxFile(model: OnnxModel): Buffer {
  const { inputs, outputs, nodes, constants = [], metadata = {} } = model;
  const graph = Buffer.concat([
    ...nodes.map((node) => message(1, encodeNode(node))),
    text(2, 'graph'),
    ...constants.map((constant) => message(5, encodeConstant(constant))),
    ...inputs.map((value) => message(11, encodeValue(value))),
    ...outputs.map((value) => message(12, encodeValue(value))),
  ]);
  return Buffer.concat([
    integer(1, irVersion),
    message(7, graph),
    message(8, Buffer.concat([text(1, ''), integer(2, opsetVersion)])),
    ...Object.entries(metadata).map(([key, value]) =>
      message(14, Buffer.concat([text(1, key), text(2, String(value))])),
    ),
  ]);
}

function encodeNode({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, encodeAttribute(name, value))),
  ]);
}

function encodeAttribute(name: string, value: number | number[] | string): Buffer {
  if (typeof value === 'number') {
    return Buffer.concat([text(1, name), integer(3, value), integer(20, attributeTypes.int)]);
  }
  if (typeof value === 'string') {
    return Buffer.concat([text(1, name), text(4, value), integer(20, attributeTypes.string)]);
  }
  return Buffer.concat([text(1, name), ...value.map((one) => integer(8, one)), integer(20, attributeTypes.ints)]);
}

function encodeConstant({ name, dims, type, values }: OnnxConstant): Buffer {
  const raw = type === 'float32' ? Float32Array.from(values) : BigInt64Array.from(values, BigInt);
  return Buffer.concat([
    ...dims.map((dim) => integer(1, dim)),
    integer(2, elementTypes[type]),
    text(8, name),
    message(9, Buffer.from(raw.buffer)),
  ]);
}

function encodeValue({ name, type, dims }: OnnxValue): Buffer {
  const shape = dims.map((dim) => message(1, typeof dim === 'number' ? integer(1, dim) : text(2, dim)));
  const tensor = Buffer.concat([integer(1, elementTypes[type]), message(2, Buffer.concat(shape))]);
  return Buffer.concat([text(1, name), message(2, message(1, tensor))]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value));
}

function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

/** Negative numbers take ten bytes, as in two's complement of 64 bits. */
function varint(value: number): Buffer {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
