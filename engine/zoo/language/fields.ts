import { BadInputError } from '../../errors.ts';
import { clipped } from '../../sentence.ts';

/** End of a refusal: a way to the figures of any model. */
export const CAPTURE_INSTEAD = 'capture the model from PyTorch instead (docs/guides/pytorch.md)';

export type ConfigDocument = Readonly<Record<string, unknown>>;

/** A JSON object that names its architecture, as a Hugging Face `config.json` does. */
export const isLanguageConfig = (document: unknown): document is ConfigDocument =>
  typeof document === 'object' &&
  document !== null &&
  Object.hasOwn(document, 'model_type') &&
  typeof (document as ConfigDocument)['model_type'] === 'string';

/** Larger ones are mistakes: the widest layers of today have a tenth of it. */
const MAX_SIZE = 2 ** 24;

/** Deeper networks than any are mistakes, or wish the lab ill. */
const MAX_LAYERS = 1024;

/**
 * Fields that change no tensor's size: names, tokens of a tokenizer, initial weights, generation, numerical floors, and
 * how positions turn. `rope_scaling` and its like scale angles, so every kind of it keeps the same bytes.
 */
const WITHOUT_EFFECT =
  /^(_name_or_path|architectures|model_type|dtype|torch_dtype|.*_version|.*_token_id|.*_token_ids|.*_token_index|initializer_range|initializer_factor|initializer_cutoff_factor|use_cache|cache_implementation|.*_eps|.*_epsilon|layernorm_epsilon|norm_eps|rope_.*|rotary_emb_base|original_max_position_embeddings|attn_implementation|_attn_implementation|_attn_implementation_autoset|pretraining_tp|id2label|label2id|problem_type|task_specific_params|output_past|use_return_dict|return_dict|output_hidden_states|output_attentions|is_encoder_decoder|gradient_checkpointing|torchscript|chunk_size_feed_forward|query_pre_attn_scalar|num_labels|finetuning_task|max_length|min_length|do_sample|num_beams|num_beam_groups|num_return_sequences|length_penalty|repetition_penalty|temperature|top_k|top_p|typical_p|prefix|auto_map|unsloth_.*)$/;

/** Values that turn nothing on. */
const isOff = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The fields of a `config.json`, each read once and checked; `refuseOthers` then names what nobody read. */
export class Fields {
  readonly #document: ConfigDocument;
  readonly #names: Readonly<Record<string, string>>;
  readonly #read = new Set<string>();

  /** @param names that the architecture gives fields, by those that most give them */
  constructor(document: ConfigDocument, names: Readonly<Record<string, string>> = {}) {
    this.#document = document;
    this.#names = names;
  }

  /** A positive integer. @throws BadInputError where it is another value, or missing without a usual one */
  size(name: string, usual?: number): number {
    const value = this.#value(name) ?? usual;
    if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_SIZE)
      return value as number;
    if (value === undefined)
      throw refusal(`the field ${this.#nameOf(name)} is missing; add it, or ${CAPTURE_INSTEAD}`);
    throw refusal(`${this.#nameOf(name)}: expected an integer from 1 to ${MAX_SIZE}, got ${shown(value)}`);
  }

  /** A number of layers. */
  layers(name: string, usual?: number): number {
    const count = this.size(name, usual);
    if (count <= MAX_LAYERS) return count;
    throw refusal(`${this.#nameOf(name)}: expected at most ${MAX_LAYERS}, got ${count}`);
  }

  /** As `size`; null where the file says null or nothing. */
  sizeOrNull(name: string): number | null {
    return this.#value(name) === undefined ? null : this.size(name);
  }

  flag(name: string, usual: boolean): boolean {
    const value = this.#value(name) ?? usual;
    if (typeof value === 'boolean') return value;
    throw refusal(`${this.#nameOf(name)}: expected true or false, got ${shown(value)}`);
  }

  /** As `flag`; older files have a number, which is true unless it is 0. */
  flagOrNumber(name: string, usual: boolean): boolean {
    const value = this.#value(name);
    return typeof value === 'number' ? value !== 0 : this.flag(name, usual);
  }

  number(name: string, usual: number, most: number): number {
    const value = this.#value(name) ?? usual;
    if (typeof value === 'number' && value >= 0 && value <= most) return value;
    throw refusal(`${this.#nameOf(name)}: expected a number from 0 to ${most}, got ${shown(value)}`);
  }

  /** One of the names that are understood. */
  choice<Name extends string>(name: string, of: readonly Name[], usual: Name): Name {
    const value = this.#value(name) ?? usual;
    const found = of.find((known) => known === value);
    if (found !== undefined) return found;
    throw refusal(`${this.#nameOf(name)} ${shown(value)} is not supported; ${CAPTURE_INSTEAD}`);
  }

  /** Entries of a table; null if none exists. */
  entries(name: string): number | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.keys(value).length;
    throw refusal(`${this.#nameOf(name)}: expected an object, got ${shown(value)}`);
  }

  /** Fields of a table in the file; null if none exists. */
  part(name: string): Fields | null {
    return this.entries(name) === null ? null : new Fields(this.#value(name) as ConfigDocument);
  }

  /** Fields of single layers, by their numbers; none where the file has no such table. */
  ofLayers(name: string): ReadonlyMap<number, Fields> {
    if (this.entries(name) === null) return new Map();
    const table = Object.entries(this.#value(name) as ConfigDocument);
    return new Map(
      table.map(([layer, fields]) => {
        if (typeof fields === 'object' && fields !== null)
          return [Number(layer), new Fields(fields as ConfigDocument)];
        throw refusal(`${this.#nameOf(name)}: expected an object of each layer, got ${shown(fields)}`);
      }),
    );
  }

  /** Names of a list, one a layer; null if none exists. */
  list<Name extends string>(name: string, of: readonly Name[], length: number): readonly Name[] | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (!Array.isArray(value) || value.length !== length)
      throw refusal(`${this.#nameOf(name)}: expected a list of ${length} names, got ${shown(value)}`);
    return value.map((item: unknown) => {
      const found = of.find((known) => known === item);
      if (found === undefined)
        throw refusal(`${this.#nameOf(name)} ${shown(item)} is not supported; ${CAPTURE_INSTEAD}`);
      return found;
    });
  }

  /** A list of integers from 0 on; null if none exists. */
  integers(name: string): readonly number[] | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0))
      return value as readonly number[];
    throw refusal(`${this.#nameOf(name)}: expected a list of integers, got ${shown(value)}`);
  }

  /** Marks fields as understood, whatever they say. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name);
  }

  /** @throws BadInputError that names the first field that may change the network and is not understood */
  refuseOthers(modelType: string): void {
    for (const [name, value] of Object.entries(this.#document)) {
      if (this.#read.has(name) || WITHOUT_EFFECT.test(name) || isOff(value)) continue;
      if (name === 'quantization_config')
        throw refusal(
          'quantization_config says how weights are stored; remove it, and add --lora 16 --base-bits 4 if they stay in four bits',
        );
      throw refusal(
        `the field ${clipped(name)} of model_type ${modelType} is unknown and may change the network; remove it if it does not, or ${CAPTURE_INSTEAD}`,
      );
    }
  }

  #nameOf(usualName: string): string {
    return this.#names[usualName] ?? usualName;
  }

  /** A field of its own alone, never one of every object; null is as good as absent. */
  #value(usualName: string): unknown {
    const name = this.#nameOf(usualName);
    this.#read.add(name);
    return Object.hasOwn(this.#document, name) ? (this.#document[name] ?? undefined) : undefined;
  }
}

export const refusal = (message: string): BadInputError => new BadInputError(message, 'config.json');

export const shown = (value: unknown): string => clipped(JSON.stringify(value) ?? String(value));
