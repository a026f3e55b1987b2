import type { Attribute, OnnxModel, OnnxNode } from './model.ts';

/**
 * Puts together what exporters take apart, because a framework keeps less for the whole than for its
 * parts: GELU (Div, Erf, Add, Mul, Mul), SiLU and HardSwish (a gate times its input), layer norm (nine
 * operations below opset 17), padding before an average pool, the bias after a product with a weight, and
 * PyTorch's scaled_dot_product_attention. Time O(nodes + uses).
 */
export function fuse(model: OnnxModel): readonly OnnxNode[] {
  const fuser = new Fuser(model);
  return fuser.run();
}

class Fuser {
  readonly #model: OnnxModel;
  readonly #producers = new Map<string, OnnxNode>();
  readonly #consumers = new Map<string, OnnxNode[]>();
  readonly #outputs: ReadonlySet<string>;
  readonly #gone = new Set<OnnxNode>();
  /** The last node of a pattern to the one that stands for all of it. */
  readonly #instead = new Map<OnnxNode, OnnxNode>();

  constructor(model: OnnxModel) {
    this.#model = model;
    this.#outputs = new Set(model.outputs.map(({ name }) => name));
    for (const node of model.nodes) {
      for (const output of node.outputs) this.#producers.set(output, node);
      for (const input of node.inputs) {
        const list = this.#consumers.get(input);
        if (list === undefined) this.#consumers.set(input, [node]);
        else list.push(node);
      }
    }
  }

  run(): readonly OnnxNode[] {
    for (const node of this.#model.nodes) {
      if (node.type === 'Erf') this.#gelu(node);
      else if (node.type === 'Sigmoid' || node.type === 'HardSigmoid') this.#gate(node);
      else if (node.type === 'Div') this.#layerNorm(node);
      else if (node.type === 'AveragePool') this.#paddedPool(node);
      else if (node.type === 'MatMul') this.#linear(node);
      else if (node.type === 'Softmax') this.#attention(node);
    }
    return this.#model.nodes.flatMap((node) =>
      this.#gone.has(node) ? [] : [this.#instead.get(node) ?? node],
    );
  }

  /** The only reader of a node's first output, if it is of that type. */
  #next(node: OnnxNode | undefined, type: string): OnnxNode | undefined {
    const name = node?.outputs[0] ?? '';
    const readers = this.#consumers.get(name) ?? [];
    const [only] = readers;
    return readers.length === 1 && !this.#outputs.has(name) && only?.type === type ? only : undefined;
  }

  #before(name: string | undefined, type: string): OnnxNode | undefined {
    const node = this.#producers.get(name ?? '');
    return node?.type === type ? node : undefined;
  }

  #replace(last: OnnxNode, others: readonly (OnnxNode | undefined)[], fused: Partial<OnnxNode>): void {
    for (const node of others) if (node !== undefined) this.#gone.add(node);
    this.#instead.set(last, { ...last, attributes: NO_ATTRIBUTES, ...fused });
  }

  #gelu(erf: OnnxNode): void {
    const scaled = this.#before(erf.inputs[0], 'Div') ?? this.#before(erf.inputs[0], 'Mul');
    const shifted = this.#next(erf, 'Add');
    const product = this.#next(shifted, 'Mul');
    const x = scaled?.inputs[0];
    if (scaled === undefined || product === undefined || x === undefined) return;
    const other = otherInput(product, shifted?.outputs[0]);
    const halvedBefore = this.#before(other, 'Mul');
    const halvedAfter = this.#next(product, 'Mul');
    if (other === x && halvedAfter !== undefined) {
      this.#replace(halvedAfter, [scaled, erf, shifted, product], { type: 'Gelu', inputs: [x] });
    } else if (halvedBefore?.inputs[0] === x) {
      this.#replace(product, [scaled, erf, shifted, halvedBefore], { type: 'Gelu', inputs: [x] });
    }
  }

  #gate(gate: OnnxNode): void {
    const product = this.#next(gate, 'Mul');
    const x = gate.inputs[0];
    if (product === undefined || x === undefined || otherInput(product, gate.outputs[0]) !== x) return;
    const type = gate.type === 'Sigmoid' ? 'Silu' : 'HardSwish';
    this.#replace(product, [gate], { type, inputs: [x] });
  }

  #layerNorm(div: OnnxNode): void {
    const centred = this.#before(div.inputs[0], 'Sub');
    const mean = this.#before(centred?.inputs[1], 'ReduceMean');
    const root = this.#before(div.inputs[1], 'Sqrt');
    const sum = this.#before(root?.inputs[0], 'Add');
    const variance = this.#before(sum?.inputs[0], 'ReduceMean');
    const square = this.#before(variance?.inputs[0], 'Pow') ?? this.#before(variance?.inputs[0], 'Mul');
    const x = centred?.inputs[0];
    if (x === undefined || mean?.inputs[0] !== x || square?.inputs[0] !== centred?.outputs[0]) return;
    const scale = this.#next(div, 'Mul');
    const shift = this.#next(scale, 'Add');
    const weight = scale === undefined ? undefined : otherInput(scale, div.outputs[0]);
    const bias = shift === undefined ? undefined : otherInput(shift, scale?.outputs[0]);
    const parts = [mean, centred, square, variance, sum, root];
    const isWeight = (name: string | undefined) => name !== undefined && this.#model.weights.has(name);
    const type = 'LayerNormalization';
    if (shift !== undefined && scale !== undefined && isWeight(weight) && isWeight(bias)) {
      this.#replace(shift, [...parts, div, scale], { type, inputs: [x, weight ?? '', bias ?? ''] });
    } else {
      this.#replace(div, parts, { type, inputs: [x] });
    }
  }

  #paddedPool(pool: OnnxNode): void {
    const pad = this.#before(pool.inputs[0], 'Pad');
    if (pad === undefined || this.#next(pad, 'AveragePool') !== pool) return;
    const mode = pad.attributes.get('mode') ?? 'constant';
    const listed = pad.attributes.get('pads');
    const pads = Array.isArray(listed) ? (listed as readonly number[]) : this.#numbers(pad.inputs[1]);
    const own = pool.attributes.get('pads');
    const padless = !Array.isArray(own) || own.every((extent) => extent === 0);
    const edges = pads === undefined ? undefined : imageEdges(pads, this.#numbers(pad.inputs[3]));
    if (mode !== 'constant' || edges === undefined || !padless) return;
    const [top, left, bottom, right] = edges;
    if ([top, left, bottom, right].some((extent) => extent < 0)) return;
    const attributes = new Map<string, Attribute>(pool.attributes);
    attributes.set('pads', [top, left, bottom, right]);
    // Padding that a separate operation added was counted by the pool.
    attributes.set('count_include_pad', 1);
    this.#replace(pool, [pad], { inputs: [pad.inputs[0] ?? ''], attributes });
  }

  #linear(product: OnnxNode): void {
    const [x = '', weight = ''] = product.inputs;
    const sum = this.#next(product, 'Add');
    if (sum === undefined || !this.#model.weights.has(weight)) return;
    const bias = otherInput(sum, product.outputs[0]) ?? '';
    if (this.#model.weights.get(bias)?.shape.length !== 1) return;
    this.#replace(sum, [product], { type: 'Linear', inputs: [x, weight, bias] });
  }

  /**
   * PyTorch's exporters scale queries and keys by the same root before their product, add the mask to it, and may
   * replace what is no number after the softmax; no fused kernel keeps the mask of the dropout. Attention that a program writes itself scales the product once.
   */
  #attention(softmax: OnnxNode): void {
    const mask = this.#before(softmax.inputs[0], 'Add');
    const scores = this.#before(mask?.inputs[0] ?? softmax.inputs[0], 'MatMul');
    const [queries, keys] = [0, 1].map((i) => this.#before(scores?.inputs[i], 'Mul'));
    const readers = this.#consumers.get(softmax.outputs[0] ?? '') ?? [];
    const check = readers.find(({ type }) => type === 'IsNaN');
    const guard = readers.length === 2 ? this.#next(check, 'Where') : undefined;
    const dropout = this.#next(guard ?? softmax, 'Dropout');
    const product = this.#next(dropout ?? guard ?? softmax, 'MatMul');
    const values = product?.inputs[1];
    if (product === undefined || values === undefined || queries === undefined || keys === undefined) return;
    if (![queries, keys].every(({ inputs }) => this.#isScale(inputs[1]))) return;
    const inputs = [queries.inputs[0] ?? '', keys.inputs[0] ?? '', values, mask?.inputs[1] ?? ''];
    const parts = [queries, keys, scores, mask, softmax, check, guard, dropout];
    this.#replace(product, parts, { type: 'ScaledDotProductAttention', inputs });
  }

  #isScale(name: string | undefined): boolean {
    const producer = this.#producers.get(name ?? '');
    if (producer !== undefined) return ['Cast', 'Sqrt', 'Constant'].includes(producer.type);
    return this.#model.weights.get(name ?? '')?.shape.length === 0;
  }

  #numbers(name: string | undefined): readonly number[] | undefined {
    const weight = this.#model.weights.get(name ?? '');
    if (weight !== undefined) return weight.data;
    const value = this.#before(name, 'Constant')?.attributes.get('value');
    return typeof value === 'object' && 'data' in value ? value.data : undefined;
  }
}

/** [top, left, bottom, right] of a `Pad` of images; undefined where it pads samples or channels. */
function imageEdges(
  pads: readonly number[],
  axes: readonly number[] = [0, 1, 2, 3],
): readonly [number, number, number, number] | undefined {
  if (pads.length !== 2 * axes.length) return undefined;
  const edges: [number, number, number, number] = [0, 0, 0, 0];
  for (let i = 0; i < axes.length; i++) {
    const axis = (axes[i] ?? 0) < 0 ? (axes[i] ?? 0) + 4 : (axes[i] ?? 0);
    const [before = 0, after = 0] = [pads[i], pads[i + axes.length]];
    if (axis === 2 || axis === 3) [edges[axis - 2], edges[axis]] = [before, after];
    else if (before !== 0 || after !== 0) return undefined;
  }
  return edges;
}

const NO_ATTRIBUTES: ReadonlyMap<string, Attribute> = new Map();

function otherInput(node: OnnxNode, one: string | undefined): string | undefined {
  return node.inputs[0] === one ? node.inputs[1] : node.inputs[0];
}
